import { HelpHome } from './help-home.tsx';

export default function HelpCenterScreen() {
  return <HelpHome />;
}
