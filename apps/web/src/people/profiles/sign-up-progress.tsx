import { Steps } from '../../ui/steps.tsx';
import './profiles.css';

export function SignUpProgress({ now }: { now: 1 | 2 }) {
  return (
    <div className="sign-up-progress">
      <Steps now={now} total={2} />
    </div>
  );
}
