import { Steps } from '../../ui/steps.tsx';
import './profiles.css';

/** How far along sign-up is, in the bar of its steps. */
export function SignUpProgress({ now }: { now: 1 | 2 | 3 }) {
  return (
    <div className="sign-up-progress">
      <Steps now={now} total={3} />
    </div>
  );
}
