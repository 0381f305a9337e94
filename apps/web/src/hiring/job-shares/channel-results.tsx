import { useLingui } from '@lingui/react/macro';
import type { ChannelCount } from '@nearhand/contract/hiring/job-shares';
import type { ShareChannel } from '@nearhand/contract/hiring/job-shares.rules';
import { formatNumber } from '../../lib/words/format.ts';
import { type Column, Table } from '../../ui/pages/table.tsx';

/** Views and applications by the way people found the job. */
export function ChannelResults({ channels }: { channels: readonly ChannelCount[] }) {
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
