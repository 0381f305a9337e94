import { Steps } from '../../ui/steps.tsx';
import './profiles.css';

/** Progress through sign-up. */
export function SignUpProgress({ now }: { now: 1 | 2 | 3 }) {
  return (
    <div className="sign-up-progress">
      <Steps now={now} total={3} />
    </div>
  );
}
