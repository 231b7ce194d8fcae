#!/bin/sh
# Makes the database's passwords at the first start, in a volume that only the containers see. Later starts change nothing.
set -eu
folder=${1:-/secrets}
# The group that both containers belong to: that of PostgreSQL's image.
group=${2:-999}
umask 027

password() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

# Each file appears complete or not at all.
keep() {
  [ -e "$folder/$1" ] && return
  printf '%s' "$2" >"$folder/$1.new"
  chgrp "$group" "$folder/$1.new"
  chmod 440 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}

chgrp "$group" "$folder"
chmod 750 "$folder"
keep database-url "postgres://sereno:$(password)@database:5432/sereno"
keep people-database-url "postgres://authenticator:$(password)@database:5432/sereno"
keep auth-database-url "postgres://sereno_auth:$(password)@database:5432/sereno"
keep admin-password "$(password)"
