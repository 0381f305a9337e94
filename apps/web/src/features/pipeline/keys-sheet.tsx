import { useLingui } from '@lingui/react/macro';
import { useDeviceSetting } from '../../lib/device-setting.ts';
import { Switch } from '../../ui/choices.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { singleKeys } from './use-keys.ts';

/** The keys of the board, and the switch that turns the letters off. */
export function KeysSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const on = useDeviceSetting(singleKeys) === 'on';
  const rows: [string[], string][] = [
    [['J', 'K'], t`Next and previous in the lane; arrow down and up do the same`],
    [['H', 'L'], t`Lane before and after; arrow left and right do the same`],
    [['Enter'], t`Open`],
    [['Space'], t`Select`],
    [['S'], t`Shortlist, or back to new`],
    [['I'], t`Propose an interview`],
    [['O'], t`Make an offer`],
    [['R'], t`Turn down`],
    [['/'], t`Search`],
    [['?'], t`These keys`],
    [['Esc'], t`Close the applicant, or unselect`],
  ];
  return (
    <Sheet open={open} onClose={onClose} title={t`Keys`}>
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
          label={t`Letters as keys`}
          help={t`Turn them off if you speak or press letters by accident. Arrows, Enter, Space and Esc stay.`}
          checked={on}
          onChange={() => singleKeys.set(on ? 'off' : 'on')}
        />
      </div>
    </Sheet>
  );
}
