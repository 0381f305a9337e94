import { Trans } from '@lingui/react/macro';
import { Fragment } from 'react';
import type { Credit } from './map-credits.ts';

/** Credits in the corner of the map, as the licences require: those of the streets once they are drawn. */
export function MapCredits({ streets }: { streets: readonly Credit[] | null }) {
  if (streets) {
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
      <Trans>Coast: Natural Earth · Names: GeoNames</Trans>
    </p>
  );
}
