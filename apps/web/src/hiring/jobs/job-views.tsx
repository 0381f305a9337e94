import { useLingui } from '@lingui/react/macro';
import type { ListedSort } from '@nearhand/contract/hiring/jobs';
import { type JobStanding, jobStandings } from '@nearhand/contract/hiring/jobs.rules';
import { useEffect, useState } from 'react';
import { readDraft, storeDraft, watchDrafts } from '../../lib/device/device-draft.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

const maxViews = 20;
const nameMax = 60;
/** The contract's list is in a file with schemas, which the app must not load. */
const sorts: Record<ListedSort, true> = {
  newest: true,
  soonest: true,
  start: true,
  title: true,
  gap: true,
  branch: true,
};

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

/**
 * Saves the filters of the list of jobs under a name, on this device for the signed-in account, and applies them again.
 * `branchIds` is null until the branches are loaded.
 */
export function JobViews({
  businessId,
  filters,
  branchIds,
  onChoose,
  needsNetwork,
}: {
  businessId: string;
  filters: JobFilters;
  branchIds: readonly string[] | null;
  onChoose: (filters: JobFilters) => void;
  needsNetwork: (filters: JobFilters) => boolean;
}) {
  const { t } = useLingui();
  const { views, store } = useStoredViews(businessId);
  const isBranchDeleted = ({ branchId }: JobView) =>
    branchId !== '' && branchIds !== null && !branchIds.includes(branchId);
  // A view of a deleted branch lists all of them, and says so.
  const filtersOf = (view: JobView): JobFilters => (isBranchDeleted(view) ? { ...view, branchId: '' } : view);
  const current = views.find((view) => sameFilters(filtersOf(view), filters));
  const viewOf = (name: string) => views.find((view) => view.name === name);
  if (views.length === 0 && !isFiltered(filters)) return null;
  const remove = (view: JobView) => {
    if (!store((stored) => stored.filter(({ name }) => name !== view.name))) return;
    showToast(t`View deleted`, {
      label: t`Undo`,
      run: () => void store((stored) => [...stored.filter(({ name }) => name !== view.name), view]),
    });
  };
  return (
    <PickButton
      label={t`Saved views`}
      words={current?.name ?? t`Saved views`}
      value={current?.name ?? ''}
      options={views.map((view) => ({
        value: view.name,
        label: view.name,
        note: isBranchDeleted(view) ? t`All branches: the one it was saved with is deleted` : undefined,
      }))}
      onChange={(name) => {
        const view = viewOf(name);
        if (view) onChoose(filtersOf(view));
      }}
      needsNetwork={(name) => {
        const view = viewOf(name);
        return view !== undefined && needsNetwork(filtersOf(view));
      }}
      footer={(close) => {
        if (current)
          return (
            <Button
              kind="quiet"
              onClick={() => {
                remove(current);
                close();
              }}
            >
              {t`Delete “${current.name}”`}
            </Button>
          );
        if (!isFiltered(filters)) return null;
        if (views.length >= maxViews)
          return (
            <p className="help">{t`You have ${maxViews} views, the most there can be. Delete one to save another.`}</p>
          );
        return <SaveView views={views} filters={filters} store={store} onDone={close} />;
      }}
    />
  );
}

type Store = (change: (stored: readonly JobView[]) => readonly JobView[]) => boolean;

/** The views of a business as the device has them now: another tab may have changed them. */
function useStoredViews(businessId: string): { views: readonly JobView[]; store: Store } {
  const { t } = useLingui();
  const key = `job-views:${businessId}`;
  const [views, setViews] = useState(() => readDraft(key, areViews) ?? []);
  useEffect(() => watchDrafts(() => setViews(readDraft(key, areViews) ?? [])), [key]);
  const store: Store = (change) => {
    const isStored = storeDraft(key, change(readDraft(key, areViews) ?? []));
    if (!isStored)
      showToast(
        t`This device’s storage is full or blocked. Free some space or allow storage, then try again.`,
      );
    return isStored;
  };
  return { views, store };
}

function SaveView({
  views,
  filters,
  store,
  onDone,
}: {
  views: readonly JobView[];
  filters: JobFilters;
  store: Store;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const trimmed = name.trim();
  const isTaken = views.some((view) => view.name === trimmed);
  const [isNameMissing, setNameMissing] = useState(false);
  const save = () => {
    setNameMissing(trimmed === '');
    if (trimmed === '' || isTaken) return;
    if (
      !store((stored) => [...stored.filter((view) => view.name !== trimmed), { ...filters, name: trimmed }])
    )
      return;
    showToast(t`View saved`);
    onDone();
  };
  const nameProblem = isNameMissing && trimmed === '' ? t`Enter a name.` : undefined;
  return (
    <Form onSubmit={save}>
      <TextInput
        label={t`Name of this view`}
        help={t`Saves the status, branch, search and order on this device.`}
        error={isTaken ? t`You have a view with this name. Choose another.` : nameProblem}
        maxLength={nameMax}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button kind="ink" type="submit" className="mt3">
        {t`Save view`}
      </Button>
    </Form>
  );
}
