import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { nativePlugin } from '../../lib/native/plugins.ts';
import { homePath } from '../../lib/pages/next-path.ts';
import { nativeApp, removeListener } from './native-app.ts';
import { openUrl, providerAnswerIn, publicJobIn, serverPageIn } from './open-url.ts';

/** A link that returns this soon was returned by Android because no browser opened it. */
const returnsWithinMs = 5_000;

/** Opens the phone's URLs in the app (spec §2, Deep links); paths without a screen open in the phone's browser. */
export function DeepLinks() {
  const navigate = useNavigate();
  const latest = useRef(navigate);
  latest.current = navigate;
  const passedOn = useRef({ page: '', at: 0 });
  useEffect(() => {
    const open = ({ url }: { url?: unknown }) => {
      const answer = providerAnswerIn(String(url ?? ''));
      if (answer !== null) {
        void import('../../people/sign-in/phone-browser.ts').then(({ answerPath }) =>
          latest.current(answerPath(answer), { replace: true }),
        );
        return;
      }
      // Closes the provider's page, which would stay in front of the app.
      if (String(url ?? '').startsWith('nearhand:'))
        void nativePlugin('Browser')
          ?.close()
          .catch(() => {});
      const shortId = publicJobIn(String(url ?? ''));
      const page = shortId === null ? serverPageIn(String(url ?? '')) : null;
      const browser = nativePlugin('Browser');
      if (page !== null && browser) {
        const hasReturned =
          passedOn.current.page === page && Date.now() - passedOn.current.at < returnsWithinMs;
        passedOn.current = { page, at: Date.now() };
        if (!hasReturned) return void browser.open({ url: page }).catch(() => latest.current(homePath));
      }
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
