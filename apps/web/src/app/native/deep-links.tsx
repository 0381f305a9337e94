import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { homePath } from '../routes.ts';
import { nativeApp, removeListener } from './native-app.ts';
import { openUrl, providerAnswerIn, publicJobIn } from './open-url.ts';

/** Opens URLs the phone passes to the app, each as a path in the app (spec §2, Deep links). */
export function DeepLinks() {
  const navigate = useNavigate();
  const latest = useRef(navigate);
  latest.current = navigate;
  useEffect(() => {
    const open = ({ url }: { url?: unknown }) => {
      const answer = providerAnswerIn(String(url ?? ''));
      if (answer !== null) {
        void import('../../people/sign-in/phone-browser.ts').then(({ answerPath }) =>
          latest.current(answerPath(answer), { replace: true }),
        );
        return;
      }
      const shortId = publicJobIn(String(url ?? ''));
      if (shortId === null) return void latest.current(openUrl(String(url ?? '')));
      api.publicPages.job({ shortId }).then(
        ({ jobId }) => latest.current(`/job-desc/${jobId}`),
        () => void latest.current(homePath),
      );
    };
    return removeListener(nativeApp()?.addListener?.('appUrlOpen', open));
  }, []);
  return null;
}
