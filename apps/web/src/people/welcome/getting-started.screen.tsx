import { useLingui } from '@lingui/react/macro';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { lazyPart, whenIdle } from '../../lib/pages/load-part.ts';
import { withNext } from '../../lib/pages/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { Lockup } from '../../ui/art/mark.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { BareScreen } from '../../ui/pages/bare-screen.tsx';
import { WhySignIn } from '../sign-in/why-sign-in.tsx';
import { AnswerArt, HireArt, NearArt, NoArt } from './getting-started.art.tsx';
import './getting-started.css';

type Slide = { art: ReactNode; title: string; text: string };

const VerifyEmail = lazyPart(() => import('./verify-email.tsx'));

/** The page that the guard sends guests to. Signed-up users with an unverified email are asked to verify it. */
export default function GettingStartedScreen() {
  const user = useUser();
  if (!user || user.emailVerified) return <Introduction />;
  return (
    <Suspense fallback={<BareScreen>{null}</BareScreen>}>
      <VerifyEmail user={user} />
    </Suspense>
  );
}

function Introduction() {
  const { t } = useLingui();
  const { search } = useLocation();
  const [now, setNow] = useState(0);
  const track = useRef<HTMLDivElement>(null);
  const [isIdle, setIsIdle] = useState(false);
  // Two of the three illustrations are off screen, so they are left out of the first paint.
  useEffect(() => void whenIdle().then(() => setIsIdle(true)), []);

  const slides: Slide[] = [
    {
      art: <NearArt />,
      title: t`Work you can walk to`,
      text: t`See the pay, the distance and how fast they reply before you apply.`,
    },
    {
      art: isIdle ? <AnswerArt /> : <NoArt />,
      title: t`An answer by a set date`,
      text: t`Every application has a date by which the business must decide. You see it from the start.`,
    },
    {
      art: isIdle ? <HireArt /> : <NoArt />,
      title: t`Hire around the corner`,
      text: t`Post a shift or a task, see what it costs before you publish, and meet people nearby.`,
    },
  ];

  const go = (index: number) => {
    const element = track.current;
    element?.children[index]?.scrollIntoView({ behavior: 'smooth', block: 'nearest', inline: 'start' });
  };

  return (
    <BareScreen title={t`Welcome`}>
      <div className="intro">
        <div className="intro-top">
          <Lockup onPine />
          <Link className="intro-skip sm mid" to="/tabs/menu/explore">
            {t`Look around first`}
          </Link>
        </div>
        <section
          className="intro-track"
          ref={track}
          aria-label={t`What Nearhand is`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
          tabIndex={0}
          onScroll={(event) => {
            const { scrollLeft, clientWidth } = event.currentTarget;
            setNow(Math.round(Math.abs(scrollLeft) / Math.max(1, clientWidth)));
          }}
        >
          {slides.map((slide, index) => (
            // biome-ignore lint/a11y/useSemanticElements: a slide is a group, not a field set.
            <div
              className="intro-slide"
              role="group"
              aria-label={t`Slide ${index + 1} of ${slides.length}`}
              key={slide.title}
            >
              <div className="intro-art">{slide.art}</div>
              <div className="intro-text">
                {index === 0 ? (
                  <h1 className="h-xl">{slide.title}</h1>
                ) : (
                  <h2 className="h-xl">{slide.title}</h2>
                )}
                <p className="lead mute mt3">{slide.text}</p>
              </div>
            </div>
          ))}
        </section>
        <div className="intro-foot">
          <div className="intro-dots">
            {slides.map((slide, index) => (
              <button
                type="button"
                key={slide.title}
                aria-label={t`Slide ${index + 1} of ${slides.length}`}
                aria-current={index === now ? 'true' : undefined}
                onClick={() => go(index)}
              />
            ))}
          </div>
          <div className="intro-why">
            <WhySignIn />
          </div>
          <div className="col g2">
            <ButtonLink kind="go" full to={withNext('/register', search)}>
              {t`Create account`}
            </ButtonLink>
            <ButtonLink kind="out" full to={withNext('/login', search)}>
              {t`Log in`}
            </ButtonLink>
          </div>
        </div>
      </div>
    </BareScreen>
  );
}
