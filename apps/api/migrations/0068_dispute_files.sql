-- Photos and PDFs that a side adds to a step of a pay dispute (ADR 44).
create table dispute_files (
  step_id uuid not null references dispute_steps (id) on delete cascade,
  file_id uuid not null references files (id),
  position integer not null,
  primary key (step_id, file_id)
);
create index dispute_files_file on dispute_files (file_id);
