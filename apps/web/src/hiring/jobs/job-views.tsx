import { useLingui } from '@lingui/react/macro';
import type { ListedSort } from '@nearhand/contract/hiring/jobs';
import { type JobStanding, jobStandings } from '@nearhand/contract/hiring/jobs.rules';
import { useState } from 'react';
import { readDraft, storeDraft } from '../../lib/device/device-draft.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

const maxViews = 20;
const nameMax = 60;
/** The contract's list is in a file with schemas, which the app must not load. */
const sorts: Record<ListedSort, true> = { newest: true, soonest: true, start: true, title: true, gap: true };

/** The filters and order of the list of jobs. `sort` is null for the usual order of the status. */
export type JobFilters = {
  status: JobStanding | null;
  branchId: string;
  q: string;
  sort: ListedSort | null;
};
type JobView = JobFilters & { name: string };

const isView = (value: unknown): value is JobView => {
  const { name, status, branchId, q, sort } = (value ?? {}) as Record<string, unknown>;
  return (
    [name, branchId, q].every((text) => typeof text === 'string') &&
    (status === null || jobStandings.some((standing) => standing === status)) &&
    (sort === null || Object.hasOwn(sorts, String(sort)))
  );
};
const areViews = (value: unknown): value is JobView[] => Array.isArray(value) && value.every(isView);

const sameFilters = (first: JobFilters, second: JobFilters): boolean =>
  first.status === second.status &&
  first.branchId === second.branchId &&
  first.q.trim() === second.q.trim() &&
  first.sort === second.sort;

const isFiltered = ({ status, branchId, q, sort }: JobFilters): boolean =>
  status !== null || branchId !== '' || q.trim() !== '' || sort !== null;

/** Saves the filters of the list of jobs under a name, on this device for the signed-in account, and applies them again. */
export function JobViews({
  businessId,
  filters,
  onChoose,
}: {
  businessId: string;
  filters: JobFilters;
  onChoose: (filters: JobFilters) => void;
}) {
  const { t } = useLingui();
  const key = `job-views:${businessId}`;
  const [views, setViews] = useState(() => readDraft(key, areViews) ?? []);
  const [name, setName] = useState('');
  const current = views.find((view) => sameFilters(view, filters));
  if (views.length === 0 && !isFiltered(filters)) return null;
  const store = (next: JobView[], done: string) => {
    if (!storeDraft(key, next)) return showToast(t`This device can’t store it.`);
    setViews(next);
    setName('');
    showToast(done);
  };
  const save = () => {
    const trimmed = name.trim();
    if (trimmed === '') return;
    const before = views.filter((view) => view.name !== trimmed);
    store([...before, { ...filters, name: trimmed }].slice(-maxViews), t`View saved`);
  };
  return (
    <PickButton
      label={t`Saved views`}
      words={current?.name ?? t`Saved views`}
      value={current?.name ?? ''}
      options={views.map((view) => ({ value: view.name, label: view.name }))}
      onChange={(chosen) => {
        const view = views.find((candidate) => candidate.name === chosen);
        if (view) onChoose(view);
      }}
      footer={
        current ? (
          <Button
            kind="quiet"
            onClick={() =>
              store(
                views.filter((view) => view !== current),
                t`View deleted`,
              )
            }
          >
            {t`Delete “${current.name}”`}
          </Button>
        ) : isFiltered(filters) ? (
          <Form onSubmit={save}>
            <TextInput
              label={t`Name of this view`}
              help={t`Saves the status, branch, search and order on this device.`}
              maxLength={nameMax}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <Button kind="ink" type="submit" className="mt3">
              {t`Save view`}
            </Button>
          </Form>
        ) : undefined
      }
    />
  );
}
