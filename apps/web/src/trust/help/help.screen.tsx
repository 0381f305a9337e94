import { HelpHome } from './help-home.tsx';

export default function HelpScreen() {
  return <HelpHome />;
}
