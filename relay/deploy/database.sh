#!/bin/sh
# Runs once in the database of compose.yaml: two roles, of which the relay serves with the second.
psql -v ON_ERROR_STOP=1 -U postgres -v owner="$OWNER_PASSWORD" -v runner="$RUNNER_PASSWORD" <<'SQL'
CREATE ROLE relay_owner LOGIN PASSWORD :'owner';
CREATE ROLE relay_runner LOGIN PASSWORD :'runner';
CREATE DATABASE relay OWNER relay_owner;
SQL
