-- PostgreSQL lets everyone execute a new function. No request role may enter this schema, but a lock that leans on another
-- lock is none: what is not granted by name is not granted.
revoke execute on all functions in schema watch from public;
