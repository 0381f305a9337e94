import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/api/error.labels.ts';
import { appearance, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useChooseSetting } from './account-settings.api.ts';

export function AppearanceChoice() {
  const { t } = useLingui();
  const choice = useDeviceSetting(appearance);
  const choose = useChooseSetting();
  return (
    <Segmented
      label={t`Appearance`}
      value={choice}
      options={[
        { value: 'system', label: t`Match device` },
        { value: 'light', label: t`Light` },
        { value: 'dark', label: t`Dark` },
      ]}
      onChange={(value) =>
        choose('appearance', value, (failure) => showToast(t`Not saved. ${errorText(failure)}`))
      }
    />
  );
}
