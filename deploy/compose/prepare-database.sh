#!/bin/sh
# Run by PostgreSQL's image when it has made an empty cluster: Sereno's database, and its three logins.
set -eu
secrets=${SECRETS:-/secrets}

password_in() {
  sed 's#^[^:]*://[^:]*:\([^@]*\)@.*$#\1#' "$secrets/$1"
}

ask() {
  psql --set=ON_ERROR_STOP=1 --quiet --username="$POSTGRES_USER" --no-psqlrc "$@"
}

ask --dbname=postgres <<SQL
create role sereno login password '$(password_in database-url)';
create database sereno owner sereno encoding 'UTF8' template template0;
SQL
ask --dbname=sereno --file="${PREPARATION:-/prepare-database.sql}"
ask --dbname=postgres <<SQL
alter role authenticator password '$(password_in people-database-url)';
alter role sereno_auth password '$(password_in auth-database-url)';
SQL
