import { HelpHome } from './help-home.tsx';

/** Help for accounts (spec: `/help-center`). */
export default function HelpCenterScreen() {
  return <HelpHome />;
}
