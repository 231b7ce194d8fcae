-- Which kinds are compared between sources is decided in src/core/alert/alert-kinds.ts alone: no statement of SQL asks.
alter table watch.alert_kinds drop column is_sighted;
