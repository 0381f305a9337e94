import { Trans } from '@lingui/react/macro';
import { useOnline } from '../../lib/device/online.ts';
import { Icon } from './icon.tsx';
import { useLoadable } from './loadable.ts';
import './photo.css';

export function Photo({ src, alt, className }: { src: string; alt: string; className: string }) {
  const { url, onError } = useLoadable(src);
  if (url) return <img className={className} src={url} alt={alt} loading="lazy" onError={onError} />;
  return <MissingPhoto alt={alt} className={className} />;
}

/** Replaces a photo that failed to load; photos are not stored on the device (ADR 341). */
export function MissingPhoto({ alt = '', className }: { alt?: string; className: string }) {
  const online = useOnline();
  return (
    <span className={`${className} photo-missing`}>
      {alt ? <span className="vh">{alt} </span> : null}
      <Icon name="image" />
      <span className="xs">
        {online ? <Trans>Photo couldn't be loaded</Trans> : <Trans>Needs a connection</Trans>}
      </span>
    </span>
  );
}
