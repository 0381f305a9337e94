import type { OperatorContext } from '@nearhand/contract/operator-context';
import { useState } from 'react';
import { useMove } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { api } from '../console-api.ts';

/** Signs a person out on all devices, after one more press. */
export function EndSessions({ accountId, look }: { accountId: string; look: OperatorContext }) {
  const [asked, setAsked] = useState(false);
  const move = useMove();
  const end = async () => {
    const call = async () => {
      const { ended } = await api.sessions.endOf({ accountId }, { context: { operator: look } });
      showToast(ended === 1 ? 'Signed out on 1 device' : `Signed out on ${ended} devices`);
    };
    if (await move.run(call)) setAsked(false);
  };
  return (
    <section className="card" aria-label="Sessions">
      <h2 className="h-s">Sessions</h2>
      <div className="col g3 mt2">
        <p className="sm mute">
          Sign them out on every device, for example after a phone was stolen. Calendar subscriptions end too.
          They can sign in again with their password.
        </p>
        <Refused text={move.refusal} />
        {asked ? (
          <div className="row g2 wrap">
            <Button kind="bad" size="s" busy={move.busy} onClick={() => void end()}>
              Sign out everywhere
            </Button>
            <Button kind="quiet" size="s" onClick={() => setAsked(false)}>
              Cancel
            </Button>
          </div>
        ) : (
          <Button kind="out" size="s" onClick={() => setAsked(true)}>
            Sign out this person
          </Button>
        )}
      </div>
    </section>
  );
}
