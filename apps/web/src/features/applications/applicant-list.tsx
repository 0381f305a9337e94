import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/applications';
import type { InfiniteData } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { ApplicantRow } from './applicant-row.tsx';
import type { useBusinessApplicants, useJobApplicants } from './applications.api.ts';

type Page = { items: unknown[]; nextCursor: string | null };

export type ApplicantListProps = {
  query: ReturnType<typeof useJobApplicants> | ReturnType<typeof useBusinessApplicants>;
  withJob?: boolean;
  /** Opened beside the list. */
  openId: string | null;
  /** Absent on a phone, where a row leads to the worker's page. */
  onOpen?: ((applicant: Applicant) => void) | undefined;
  empty: ReactNode;
};

export const applicantsOf = (data: InfiniteData<Page> | undefined): Applicant[] =>
  (data?.pages.flatMap((page) => page.items) ?? []) as Applicant[];

/** Applicants, newest first. Arrow keys go from one to the next; Enter opens. */
export function ApplicantList({ query, withJob, openId, onOpen, empty }: ApplicantListProps) {
  const { t } = useLingui();
  const list = useRef<HTMLUListElement>(null);
  const walk = (event: KeyboardEvent) => {
    const step =
      event.key === 'ArrowDown' || event.key === 'j'
        ? 1
        : event.key === 'ArrowUp' || event.key === 'k'
          ? -1
          : 0;
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('.cover') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = rows[at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton />}
      errorTitle={t`We could not load the applicants`}
      describe={errorText}
      asOf={formatAgo}
      isEmpty={(data) => applicantsOf(data).length === 0}
      empty={empty}
    >
      {(data) => (
        <>
          {onOpen ? (
            <p className="vh">
              <Trans>Arrow keys move through the list, Enter opens.</Trans>
            </p>
          ) : null}
          <ul className="col" ref={list} onKeyDown={walk}>
            {applicantsOf(data).map((applicant) => (
              <ApplicantRow
                key={applicant.id}
                applicant={applicant}
                withJob={withJob}
                selected={applicant.id === openId}
                onOpen={onOpen ? () => onOpen(applicant) : undefined}
              />
            ))}
          </ul>
          <LoadMore
            more={query.hasNextPage}
            loading={query.isFetchingNextPage}
            failed={query.isFetchNextPageError}
            onMore={() => void query.fetchNextPage()}
          />
        </>
      )}
    </QueryState>
  );
}
