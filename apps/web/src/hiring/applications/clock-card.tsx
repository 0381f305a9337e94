import { Trans } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Card } from '../../ui/card.tsx';
import { clockText } from './application.labels.ts';

export function ClockCard({ application }: { application: MyApplication }) {
  const clock = clockText(application);
  return (
    <Card>
      <div className="row g4">
        <ClockRing left={clock.left} size="l">
          {clock.figure}
        </ClockRing>
        <div className="grow">
          <p className="strong">
            <Trans>{clock.title} to decide</Trans>
          </p>
          <p className="mute">
            {clock.reply}. <Trans>If they don't, your application closes and we'll let you know.</Trans>
          </p>
        </div>
      </div>
    </Card>
  );
}
