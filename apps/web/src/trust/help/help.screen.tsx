import { HelpHome } from './help-home.tsx';

/** Help for guests, and for accounts whose email is not verified. */
export default function HelpScreen() {
  return <HelpHome />;
}
