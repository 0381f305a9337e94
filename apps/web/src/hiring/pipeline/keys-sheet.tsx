import { useLingui } from '@lingui/react/macro';
import { useDeviceSetting } from '../../lib/device/device-setting.ts';
import { Switch } from '../../ui/controls/choices.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { singleKeys } from './use-keys.ts';

/** The board's shortcuts, and the switch that turns letters off. */
export function KeysSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const on = useDeviceSetting(singleKeys) === 'on';
  const rows: [string[], string][] = [
    [['J', 'K'], t`Next and previous applicant (or down and up arrow)`],
    [['H', 'L'], t`Previous and next stage (or left and right arrow)`],
    [['Enter'], t`Open`],
    [['Space'], t`Select`],
    [['S'], t`Shortlist or move back to New`],
    [['I'], t`Propose an interview`],
    [['O'], t`Make an offer`],
    [['R'], t`Reject`],
    [['/'], t`Search`],
    [['?'], t`Show shortcuts`],
    [['Esc'], t`Close applicant or clear selection`],
  ];
  return (
    <Sheet open={open} onClose={onClose} title={t`Keyboard shortcuts`}>
      <dl className="points">
        {rows.map(([keys, text]) => (
          <div key={keys.join()}>
            <dt className="row g1 key-names">
              {keys.map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="mt4">
        <Switch
          label={t`Letter shortcuts`}
          help={t`Turn these off if you use speech input or press keys by accident. Arrows, Enter, Space and Esc still work.`}
          checked={on}
          onChange={() => singleKeys.set(on ? 'off' : 'on')}
        />
      </div>
    </Sheet>
  );
}
