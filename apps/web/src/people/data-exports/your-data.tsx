import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { DataExportState } from '@nearhand/contract/people/data-exports';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatBytes, formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';

export function YourData() {
  const { t } = useLingui();
  const state = useDataExport();
  return (
    <section className="card settings-part" aria-labelledby="settings-data">
      <h2 className="h-s" id="settings-data">{t`Your data`}</h2>
      <MailedLink />
      <QueryState
        query={state}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your data exports`}
        offlineNote={t`You can ask for a copy when you're back online.`}
      >
        {(data) => <Copy state={data} />}
      </QueryState>
    </section>
  );
}

function MailedLink() {
  const { t } = useLingui();
  const params = new URLSearchParams(useLocation().search);
  const action = useAction(errorText);
  const ticket = params.get('export');
  const cardRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (ticket !== null) cardRef.current?.scrollIntoView?.({ block: 'center' });
  }, [ticket]);
  if (ticket === null) return null;
  const download = () =>
    action.run(() =>
      saveStoredFile({
        path: `/data-exports/file?ticket=${encodeURIComponent(ticket)}`,
        name: 'nearhand-data.zip',
      }),
    );
  return (
    <div ref={cardRef}>
      <Banner tone="good" icon="download-simple">
        <p className="strong">{t`Your data is ready`}</p>
        <p>{t`Unpack the ZIP file and open index.html to read everything in your browser.`}</p>
        <Button kind="ink" size="s" className="mt3" busy={action.busy} onClick={() => void download()}>
          {t`Download your data`}
        </Button>
      </Banner>
      <Refused text={action.refusal} />
    </div>
  );
}

function Copy({ state: { latest, leftToday, linkHours, email } }: { state: DataExportState }) {
  const { t } = useLingui();
  const request = useRequestExport();
  const action = useAction(errorText);
  const ask = async () => {
    if (await action.run(() => request.mutateAsync({}))) showToast(t`We're preparing your data`);
  };
  const params = new URLSearchParams(useLocation().search);
  const isRunning = latest?.status === 'running';
  return (
    <div className="col g4">
      <p className="sm">
        <Trans>
          Get a copy of everything we store about you: profile, applications, work, pay, messages and files.
          We'll email you a link within minutes.
        </Trans>
      </p>
      {isRunning ? (
        <Banner tone="wait" icon="clock" live>
          <p className="strong">{t`We're preparing your data`}</p>
          <p className="wrap-any">{t`You can leave this page. We'll send the link to ${email}.`}</p>
        </Banner>
      ) : null}
      {latest?.status === 'ready' && latest.expiresAt !== null && !params.has('export') ? (
        <Banner tone="good" icon="envelope-simple">
          <p className="strong">{t`Your data is ready`}</p>
          <p className="wrap-any">
            {t`We sent a link to ${email}. It works until ${formatDate(latest.expiresAt, ownTimeZone())}. The file has ${formatBytes(latest.bytes ?? 0)}.`}
          </p>
        </Banner>
      ) : null}
      {latest?.status === 'failed' ? (
        <Banner tone="bad" icon="warning-circle">
          {t`We couldn't prepare your last copy. Nothing was sent. Ask for a new one.`}
        </Banner>
      ) : null}
      <Refused text={action.refusal} />
      <div className="col g2">
        <div>
          <Button
            kind="out"
            icon="download-simple"
            busy={action.busy}
            disabled={isRunning || leftToday === 0}
            onClick={() => void ask()}
          >
            {latest === null ? t`Get a copy of my data` : t`Get a new copy`}
          </Button>
        </div>
        <p className="sm mute">
          {leftToday === 0 ? (
            <Trans>You've asked for as many copies as you can today. Try again tomorrow.</Trans>
          ) : (
            <Plural
              value={linkHours}
              one="The link works for # hour, and only while you're logged in."
              other="The link works for # hours, and only while you're logged in."
            />
          )}
        </p>
      </div>
    </div>
  );
}

const everyMs = 4_000;

/** The latest copy (`dataExports.get`), polled while one is being made. */
const useDataExport = () =>
  useQuery(
    apiQuery.dataExports.get.queryOptions({
      refetchInterval: ({ state }: { state: { data?: { latest: { status: string } | null } } }) =>
        state.data?.latest?.status === 'running' ? everyMs : false,
    }),
  );

function useRequestExport() {
  return useMutation(
    apiQuery.dataExports.request.mutationOptions({
      onSuccess: (state) => queryClient.setQueryData(apiQuery.dataExports.get.queryKey(), state),
    }),
  );
}
