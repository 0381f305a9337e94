import { useLingui } from '@lingui/react/macro';
import { type ReactNode, Suspense } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { clock, startSide, units, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { isNative } from '../../lib/device/platform.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { formatDistance, formatTime } from '../../lib/words/format.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useChooseSetting } from './account-settings.api.ts';
import { AppearanceChoice } from './appearance.tsx';
import { LanguageChoice } from './language-choice.tsx';

const AppLockSetting = lazyPart(() => import('./app-lock-setting.tsx'));

/** Half past one in the afternoon and three kilometres: values that differ between the choices. */
const sample = { time: '2026-01-01T13:30:00Z', metres: 3_000 };

export function AppSettings() {
  const { t } = useLingui();
  const labels = {
    units: useDeviceSetting(units),
    clock: useDeviceSetting(clock),
    startSide: useDeviceSetting(startSide),
  };
  const choose = useChooseSetting();
  const failed = (failure: unknown) => showToast(t`Not saved. ${errorText(failure)}`);
  return (
    <section className="card settings-part" aria-labelledby="settings-app">
      <h2 className="h-s" id="settings-app">{t`App`}</h2>
      <LanguageChoice help={t`Emails and notifications come in this language, too.`} />
      <Setting name={t`Appearance`}>
        <AppearanceChoice />
      </Setting>
      <Setting name={t`Distances`} note={t`For example ${formatDistance(sample.metres)}.`}>
        <Segmented
          label={t`Distances`}
          value={labels.units}
          options={[
            { value: 'place', label: t`By place` },
            { value: 'km', label: t`Kilometres` },
            { value: 'miles', label: t`Miles` },
          ]}
          onChange={(value) => choose('units', value, failed)}
        />
      </Setting>
      <Setting name={t`Time`} note={t`For example ${formatTime(sample.time, 'UTC')}.`}>
        <Segmented
          label={t`Time`}
          value={labels.clock}
          options={[
            { value: 'device', label: t`Match device` },
            { value: '12', label: t`12-hour` },
            { value: '24', label: t`24-hour` },
          ]}
          onChange={(value) => choose('clock', value, failed)}
        />
      </Setting>
      <Setting name={t`After you log in, start with`}>
        <Segmented
          label={t`After you log in, start with`}
          value={labels.startSide}
          options={[
            { value: 'last', label: t`Last used` },
            { value: 'work', label: t`Work` },
            { value: 'hire', label: t`Hire` },
          ]}
          onChange={(value) => choose('startSide', value, failed)}
        />
      </Setting>
      {isNative() ? (
        <Suspense fallback={null}>
          <AppLockSetting />
        </Suspense>
      ) : null}
    </section>
  );
}

function Setting({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="settings-choice">
      <p className="flabel" aria-hidden="true">
        {name}
      </p>
      {children}
      {note ? <p className="sm mute">{note}</p> : null}
    </div>
  );
}
