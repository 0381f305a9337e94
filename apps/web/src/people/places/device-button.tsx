import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { locateDevice, PositionError, type PositionProblem } from './device-position.ts';
import { labelOfPoint } from './find-place.ts';
import { positionProblemText } from './place.labels.ts';

type DeviceButtonProps = {
  full?: boolean;
  onPick: (place: { lat: number; lng: number; label: string }) => void;
};

export function DeviceButton({ full = false, onPick }: DeviceButtonProps) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<PositionProblem | null>(null);
  const locate = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { lat, lng } = await locateDevice();
      onPick({ lat, lng, label: await labelOfPoint({ lat, lng }) });
    } catch (failure) {
      setProblem(failure instanceof PositionError ? failure.problem : 'unavailable');
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={full ? 'col' : 'col g2'}>
      <Button
        kind="quiet"
        full={full}
        icon="navigation-arrow"
        busy={busy}
        needsNetwork={false}
        onClick={() => void locate()}
      >
        {busy ? t`Finding your location` : t`Use my location`}
      </Button>
      {problem ? (
        <Banner tone="wait" icon="warning-circle" live>
          {positionProblemText(problem)}
        </Banner>
      ) : null}
    </div>
  );
}
