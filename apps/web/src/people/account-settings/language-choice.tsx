import { useLingui } from '@lingui/react/macro';
import { type Language, languageNames, languages } from '@nearhand/contract/languages';
import { errorText } from '../../lib/api/error.labels.ts';
import { language, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { wantedLanguage } from '../../lib/words/locale.ts';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useChooseSetting } from './account-settings.api.ts';

/** The language of the screens: for guests on this device, for members on all their devices. */
export function LanguageChoice({ help }: { help?: string }) {
  const { t } = useLingui();
  useDeviceSetting(language);
  const choose = useChooseSetting();
  return (
    <Select
      label={t`Language`}
      help={help}
      value={wantedLanguage()}
      options={languages.map((value) => ({ value, label: languageNames[value] }))}
      onChange={({ target }) =>
        choose('language', target.value as Language, (failure) =>
          showToast(t`Not saved. ${errorText(failure)}`),
        )
      }
    />
  );
}
