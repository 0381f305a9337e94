import { useLingui } from '@lingui/react/macro';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { clock, startSide, units, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { isNative } from '../../lib/device/platform.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useUser } from '../../lib/session.ts';
import { formatDistance, formatTime } from '../../lib/words/format.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { DeleteAccount } from '../account-deletion/delete-account.tsx';
import { Leaving } from '../account-deletion/leaving.tsx';
import { YourData } from '../data-exports/your-data.tsx';
import { OwnEmail } from '../email-change/own-email.tsx';
import { Passkeys } from '../passkeys/passkeys.tsx';
import { OwnDetails } from '../profiles/own-details.tsx';
import { SignedInDevices } from '../sessions/signed-in-devices.tsx';
import { SignInSecurity } from '../sign-in/sign-in-security.tsx';
import { AcceptedTerms } from '../terms-of-use/accepted-terms.tsx';
import { useChooseSetting } from './account-settings.api.ts';
import { AppearanceChoice } from './appearance.tsx';
import { LanguageChoice } from './language-choice.tsx';
import './account-settings.css';

const AppLockSetting = lazyPart(() => import('./app-lock-setting.tsx'));

/** Half past one in the afternoon and three kilometres: values that differ between the choices. */
const sample = { time: '2026-01-01T13:30:00Z', metres: 3_000 };

function AppSettings() {
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

type Section = { id: string; part: ComponentType };

/**
 * The sections of `/account-settings`. Each is a component of the slice that owns its data (`card
 * settings-part`).
 */
const settingsSections: Record<'first' | 'second', readonly Section[]> = {
  first: [
    { id: 'details', part: OwnDetails },
    { id: 'email', part: OwnEmail },
    { id: 'app', part: AppSettings },
  ],
  second: [
    { id: 'sign-in', part: SignInSecurity },
    { id: 'passkeys', part: Passkeys },
    { id: 'devices', part: SignedInDevices },
    { id: 'terms', part: AcceptedTerms },
    { id: 'data', part: YourData },
    { id: 'delete', part: DeleteAccount },
  ],
};

export default function AccountSettingsScreen() {
  const { t } = useLingui();
  const user = useUser();
  if (user?.leaving)
    return (
      <Screen title={t`Account settings`} back={null} width="narrow">
        <div className="settings-column">
          <Leaving />
          <YourData />
        </div>
      </Screen>
    );
  return (
    <Screen title={t`Account settings`} back="/tabs/menu/account" width="wide">
      <div className="settings">
        {(['first', 'second'] as const).map((column) => (
          <div key={column} className="settings-column">
            {settingsSections[column].map(({ id, part: Part }) => (
              <Part key={id} />
            ))}
          </div>
        ))}
      </div>
    </Screen>
  );
}
