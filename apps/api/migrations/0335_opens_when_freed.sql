-- A shift that is hidden because all its spots were offered opens by itself once one of them is free (ADR 407).
alter table jobs add column opens_when_freed boolean not null default false;
