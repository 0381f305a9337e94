import { Trans } from '@lingui/react/macro';
import { Fragment } from 'react';
import type { Credit } from './map-credits.ts';

export type Streets = readonly Credit[] | 'none' | 'opening' | 'failed';

/** Credits in the corner of the map, as the licences require. Says so if streets couldn't be loaded. */
export function MapCredits({ streets }: { streets: Streets }) {
  if (typeof streets !== 'string') {
    return (
      <p className="map-source">
        {streets.map(({ text, href }, at) => (
          <Fragment key={text}>
            {at > 0 ? ' · ' : null}
            {href ? (
              <a href={href} target="_blank" rel="noopener noreferrer">
                <bdi>{text}</bdi>
              </a>
            ) : (
              <bdi>{text}</bdi>
            )}
          </Fragment>
        ))}
      </p>
    );
  }
  return (
    <p className="map-source">
      {streets === 'failed' ? (
        <>
          <Trans>Streets couldn't be loaded</Trans>
          {' · '}
        </>
      ) : null}
      <Trans>Coast: Natural Earth · Names: GeoNames</Trans>
    </p>
  );
}
