import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/error-text.ts';
import { formatTime, ownTimeZone } from '../../lib/format.ts';
import { Icon } from '../../ui/icon.tsx';
import type { SaveState } from './job-autosave.ts';

/** Where the draft is kept, as of when: "Draft saved 10:12". */
export function SaveNote({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const { t } = useLingui();
  if (state.kind === 'empty') return null;
  if (state.kind === 'failed') {
    return (
      <button type="button" className="save-note danger" onClick={onRetry} title={errorText(state.error)}>
        <Icon name="warning-circle" />
        <span>{t`Not saved. Try again`}</span>
      </button>
    );
  }
  const words = {
    device: t`On this device`,
    saving: t`Saving`,
    saved: state.kind === 'saved' ? t`Draft saved ${formatTime(state.at, ownTimeZone())}` : '',
    offline: t`Offline, on this device`,
  };
  return (
    <p className="save-note mute" role="status">
      <Icon
        name={state.kind === 'saved' ? 'check' : state.kind === 'offline' ? 'wifi-slash' : 'note-pencil'}
      />
      <span>{words[state.kind]}</span>
    </p>
  );
}
