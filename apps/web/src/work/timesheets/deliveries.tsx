import { useLingui } from '@lingui/react/macro';
import type { StoredFile } from '@nearhand/contract/people/files';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useEffect, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { readStoredFile, saveStoredFile } from '../../lib/forms/stored-file.ts';
import { formatBytes, formatDate, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import '../engagements/engagements.css';

export function Deliveries({ work }: { work: Engagement }) {
  const { t } = useLingui();
  if (work.deliveries.length === 0) return null;
  const isOwn = work.side === 'worker';
  return (
    <section>
      <h2 className="h-m">{isOwn ? t`Your delivery` : t`Delivery`}</h2>
      <div className="col mt3">
        {[...work.deliveries].reverse().map((delivery) => (
          <Card key={delivery.id} as="article">
            <p className="row wrap g2">
              <span className="strong grow">{t`Delivery ${delivery.round}`}</span>
              <span className="sm mute">{formatDate(delivery.at, ownTimeZone())}</span>
            </p>
            {delivery.note ? (
              <p className="pre-line break mt2" dir="auto">
                {delivery.note}
              </p>
            ) : null}
            <div className="col g2 mt3">
              {delivery.files.map((file) => (
                <WorkFile key={file.id} file={file} />
              ))}
            </div>
            {delivery.changesAsked ? (
              <p className="mt3 pre-line break" dir="auto">
                <span className="sm mute block">
                  {isOwn ? t`${work.business.name} asked for changes` : t`You asked for changes`},{' '}
                  {formatDate(delivery.changesAsked.at, ownTimeZone())}
                </span>
                {delivery.changesAsked.note}
              </p>
            ) : null}
          </Card>
        ))}
      </div>
    </section>
  );
}

export function WorkFile({ file }: { file: StoredFile }) {
  const { t } = useLingui();
  const [failed, setFailed] = useState<string | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  const picture = file.mediaType.startsWith('image/');
  useEffect(() => {
    if (!picture) return;
    let url: string | null = null;
    let unmounted = false;
    // Private images need the access token, so they are fetched and shown as object URLs.
    readStoredFile(file.path)
      .then((blob) => {
        if (unmounted) return;
        url = URL.createObjectURL(blob);
        setAddress(url);
      })
      .catch((error) => setFailed(errorText(error)));
    return () => {
      unmounted = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [file.path, picture]);
  return (
    <figure>
      {address ? <img className="work-photo" src={address} alt={t`Job: ${file.name}`} /> : null}
      <figcaption className="row g2">
        <span className="sm grow break" dir="auto">
          {joined(file.name, formatBytes(file.bytes))}
        </span>
        <Button
          kind="text"
          size="s"
          icon="download-simple"
          needsNetwork
          onClick={() => {
            setFailed(null);
            saveStoredFile(file).catch((error) => setFailed(errorText(error)));
          }}
        >
          {t`Save`}
          <span className="vh"> {file.name}</span>
        </Button>
      </figcaption>
      {failed ? (
        <p className="help err" role="alert">
          {failed}
        </p>
      ) : null}
    </figure>
  );
}
