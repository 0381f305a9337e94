#!/bin/sh
# Runs once, when the image of PostgreSQL creates the database (compose.yaml). One role owns the tables; the server's only reads and writes rows.
set -e
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv owner POSTGRES_OWNER_PASSWORD
\getenv serving POSTGRES_SERVING_PASSWORD
create role nearhand_owner login password :'owner';
create role nearhand login password :'serving';
create database nearhand owner nearhand_owner encoding 'UTF8' template template0;
alter role nearhand set statement_timeout = '30s';
alter role nearhand set idle_in_transaction_session_timeout = '60s';
alter role current_user password null;
SQL
