import { useLingui } from '@lingui/react/macro';
import type { ChannelCount } from '@nearhand/contract/hiring/job-shares';
import {
  embedCardHeight,
  embedCardPath,
  embedListPath,
  type PosterSize,
  type ShareChannel,
} from '@nearhand/contract/hiring/job-shares.rules';
import { publicJobPath, shortIdOf, slugOf } from '@nearhand/contract/hiring/public-pages.rules';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { serverOrigin } from '../../lib/api/server-address.ts';
import { saveBlob, saveStoredFile } from '../../lib/forms/stored-file.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatNumber } from '../../lib/words/format.ts';
import { jobStatusText } from '../../lib/words/job-status.labels.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Card, PineCard } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { copyLink, copyText, shareLink } from '../../ui/overlays/share-link.ts';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Loading } from '../../ui/pages/skeleton.tsx';
import { type Column, Table } from '../../ui/pages/table.tsx';

const Qr = lazyPart(() => import('../../ui/art/qr.tsx'));

type Sharing = NonNullable<ReturnType<typeof useSharing>['data']>;

const linkBy = ({ jobId, title }: Sharing, channel: ShareChannel): string =>
  new URL(publicJobPath({ id: jobId, title }, channel), serverOrigin()).href;

export function ShareTools({ jobId }: { jobId: string }) {
  const { t } = useLingui();
  const query = useSharing(jobId);
  return (
    <QueryState
      query={query}
      loading={
        <Loading>
          <span className="sk sk-block" />
        </Loading>
      }
      errorTitle={t`We couldn't load this job`}
      offlineNote={t`Posters need a connection.`}
    >
      {(sharing) => (
        <>
          <div className="share-head">
            <h2 className="h-l grow">{sharing.title}</h2>
            <Badge tone={jobStatusText(sharing.status).tone}>{jobStatusText(sharing.status).label}</Badge>
          </div>
          {sharing.status === 'open' ? <Tools sharing={sharing} /> : <NotOpen sharing={sharing} />}
          <ChannelResults channels={sharing.channels} />
        </>
      )}
    </QueryState>
  );
}

function NotOpen({ sharing }: { sharing: Sharing }) {
  const { t } = useLingui();
  return (
    <Banner tone="wait" icon="warning-circle">
      {sharing.status === 'draft'
        ? t`This job isn't published yet. Publish it to share it.`
        : t`This job isn't open, so its page shows other jobs instead. Links and posters made earlier lead there too.`}{' '}
      <ButtonLink
        kind="text"
        size="s"
        to={sharing.status === 'draft' ? `/create-job?job=${sharing.jobId}` : '/share-job'}
      >
        {sharing.status === 'draft' ? t`Continue draft` : t`Share another job`}
      </ButtonLink>
    </Banner>
  );
}

function Tools({ sharing }: { sharing: Sharing }) {
  const { t } = useLingui();
  const url = linkBy(sharing, 'link');
  return (
    <div className="share-grid">
      <PineCard label={t`Link`}>
        <h3 className="h-m">{t`Anyone with the link can read the job`}</h3>
        <p className="share-url sm mt2">{url.replace(/^https?:\/\//, '').replace(/\?.*$/, '')}</p>
        <div className="share-acts mt4">
          <Button
            kind="go"
            full
            icon="share-network"
            onClick={() =>
              void shareLink({
                title: sharing.title,
                text: t`${sharing.business.name} is hiring: ${sharing.title}`,
                url: linkBy(sharing, 'share'),
              })
            }
          >
            {t`Share`}
          </Button>
          <Button kind="ghost-pine" full icon="copy" onClick={() => void copyLink(url)}>
            {t`Copy link`}
          </Button>
        </div>
      </PineCard>
      <QrCard sharing={sharing} />
      <PosterCard sharing={sharing} />
      <EmbedCard sharing={sharing} />
    </div>
  );
}

function QrCard({ sharing }: { sharing: Sharing }) {
  const { t } = useLingui();
  const url = linkBy(sharing, 'qr');
  const action = useAction();
  const name = `nearhand-${slugOf(sharing.title) || 'job'}-qr`;
  const save = (format: 'svg' | 'png') =>
    action.run(async () => {
      const { qrPng, qrSvg } = await import('./qr-file.ts');
      saveBlob(format === 'svg' ? qrSvg(url) : await qrPng(url), `${name}.${format}`);
    });
  return (
    <Card as="section" label={t`QR code`}>
      <h3 className="h-s">{t`QR code`}</h3>
      <p className="sm mute">{t`For windows, menus and flyers.`}</p>
      <div className="mt3">
        <Suspense fallback={<span className="sk sk-block" />}>
          <Qr text={url} boxed />
        </Suspense>
      </div>
      <div className="share-acts two mt3">
        <Button kind="out" size="s" onClick={() => void save('svg')}>
          {t`Download SVG`}
        </Button>
        <Button kind="out" size="s" onClick={() => void save('png')}>
          {t`Download PNG`}
        </Button>
      </div>
      <Refused text={action.refusal} />
    </Card>
  );
}

function PosterCard({ sharing }: { sharing: Sharing }) {
  const { t } = useLingui();
  const make = usePosterLink();
  const action = useAction();
  const save = (size: PosterSize) =>
    action.run(async () => {
      const { path, fileName } = await make.mutateAsync({ jobId: sharing.jobId, size });
      await saveStoredFile({ path, name: fileName });
    });
  return (
    <Card as="section" label={t`Poster`}>
      <h3 className="h-s">{t`Poster`}</h3>
      <p className="sm mute">{t`A PDF with title, pay, place and a QR code. A4 for the wall, A6 for the counter.`}</p>
      <div className="share-acts two mt3">
        <Button kind="out" size="s" busy={action.busy} onClick={() => void save('a4')}>
          {t`Download A4`}
        </Button>
        <Button kind="out" size="s" busy={action.busy} onClick={() => void save('a6')}>
          {t`Download A6`}
        </Button>
      </div>
      <Refused text={action.refusal} />
    </Card>
  );
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function EmbedCard({ sharing }: { sharing: Sharing }) {
  const { t } = useLingui();
  const origin = serverOrigin();
  const { business } = sharing;
  const card = `<iframe src="${origin}${embedCardPath(shortIdOf(sharing.jobId))}" title="${attribute(sharing.title)}" width="100%" height="${embedCardHeight}" style="border:0;max-width:420px" loading="lazy"></iframe>`;
  const list = `<script async src="${origin}${embedListPath(shortIdOf(business.id))}"></script>`;
  return (
    <Card as="section" label={t`Your website`}>
      <h3 className="h-s">{t`Your website`}</h3>
      <Code label={t`This job as a card`} text={card} />
      {business.verified ? (
        <Code label={t`All your open jobs as a list`} text={list} />
      ) : (
        <p className="sm mute mt3">{t`A list of all your open jobs is available once your business is verified.`}</p>
      )}
    </Card>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  const { t } = useLingui();
  return (
    <div className="mt3">
      <TextArea
        label={label}
        readOnly
        rows={3}
        value={text}
        spellCheck={false}
        onFocus={(event) => event.target.select()}
      />
      <Button
        kind="out"
        size="s"
        icon="copy"
        className="mt2"
        onClick={() => void copyText(text, t`Code copied.`)}
      >
        {t`Copy code`}
      </Button>
    </div>
  );
}

const useSharing = (jobId: string) =>
  useQuery(apiQuery.jobShares.overview.queryOptions({ input: { jobId }, ...neverPersist }));

const usePosterLink = () => useMutation(apiQuery.jobShares.poster.mutationOptions());

function ChannelResults({ channels }: { channels: readonly ChannelCount[] }) {
  const { t } = useLingui();
  const names: Record<ShareChannel, string> = {
    link: t`Copied link`,
    qr: t`QR code`,
    poster: t`Poster`,
    embed: t`Your website`,
    share: t`Share button`,
    directory: t`Nearhand and search`,
  };
  const columns: Column<ChannelCount>[] = [
    { key: 'channel', head: t`Channel`, cell: ({ channel }) => names[channel] },
    { key: 'views', head: t`Views`, number: true, cell: ({ views }) => formatNumber(views) },
    {
      key: 'applications',
      head: t`Applications`,
      number: true,
      cell: ({ applications }) => <span className="strong">{formatNumber(applications)}</span>,
    },
  ];
  return (
    <section className="mt6" aria-labelledby="share-results">
      <h2 className="h-m" id="share-results">{t`What it brought`}</h2>
      <p className="sm mute mt1">
        {t`Views of the job's public page, without known robots. We don't store who looked.`}
      </p>
      <div className="mt3">
        <Table
          caption={t`Views and applications by channel`}
          columns={columns}
          rows={channels}
          rowKey={({ channel }) => channel}
        />
      </div>
    </section>
  );
}
