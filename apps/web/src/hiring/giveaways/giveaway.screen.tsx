import { plural, t as say } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { engagementPath, giveawayPath } from '@nearhand/contract/app-paths';
import type {
  Colleague,
  Giveaway,
  GiveawayAction,
  GiveawayAudience,
  GiveawayOptions,
  SwapShift,
} from '@nearhand/contract/hiring/giveaways';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDateSpan, formatMinutes, formatMoney, formatSpan, joined } from '../../lib/words/format.ts';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Card, Fact } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { AskDayOff } from '../../work/engagements/day-off.tsx';
import { useCancellationCost, useEngagement } from '../../work/engagements/engagements.api.ts';
import { CancelWorkForm } from '../../work/engagements/work-detail.tsx';
import { WeekWarning } from '../calendar/conflicts.tsx';
import { PromiseFacts } from '../offers/promise-facts.tsx';

/** Here, since a value from the file with the schemas would load all of them. */
const isLive = ({ status }: Pick<Giveaway, 'status'>): boolean => status === 'open' || status === 'waiting';

/**
 * `?work=`: the options for a booked shift that the worker can't do. `?id=`: a shift that is given away, for
 * its giver, takers and the business.
 */
export default function GiveawayScreen() {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const engagementId = params.get('work');
  return engagementId ? (
    <WaysOut engagementId={engagementId} />
  ) : (
    <OneGiveaway giveawayId={params.get('id') ?? ''} />
  );
}

function OneGiveaway({ giveawayId }: { giveawayId: string }) {
  const { t } = useLingui();
  const query = useQuery(
    apiQuery.giveaways.get.queryOptions({
      input: { giveawayId },
      enabled: giveawayId !== '',
      ...neverPersist,
    }),
  );
  const isMissing = giveawayId === '' || isApiError(query.error, 'giveaway/not-found', 'request/invalid');
  return (
    <Screen
      title={t`Give away a shift`}
      heading={null}
      back="/notifications"
      onRefresh={() => query.refetch()}
    >
      {isMissing ? (
        <EmptyState level="h1" title={t`This shift isn't open to you`}>
          <p>{t`Someone took it, it stays as booked, or the link is incomplete.`}</p>
        </EmptyState>
      ) : (
        <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load this shift`}>
          {(giveaway) => <GiveawayDetail giveaway={giveaway} />}
        </QueryState>
      )}
    </Screen>
  );
}

function GiveawayDetail({ giveaway }: { giveaway: Giveaway }) {
  const { t } = useLingui();
  const { startsAt, endsAt, timeZone, side, giver, taker, engagementId } = giveaway;
  const { badge, tone, text } = stateText(giveaway);
  return (
    <div className="col g6">
      <div>
        <h1 className="h-l">{giveaway.title}</h1>
        <p className="lead mute mt1">{giveaway.business.name}</p>
        <p className="mt2">
          <Badge tone={tone}>{badge}</Badge>
        </p>
      </div>
      <Banner icon="info">
        <p>{text}</p>
      </Banner>
      <section className="facts">
        <Fact icon="calendar-blank" title={formatSpan(startsAt, endsAt, timeZone)} />
        <Fact icon="map-pin" title={giveaway.area} />
        <Fact
          icon="coins"
          title={formatMoney(giveaway.workerGetsMinor, giveaway.currency)}
          note={t`For ${formatMinutes(giveaway.paidMinutes)} of paid work`}
        />
        {side === 'taker' && isLive(giveaway) ? (
          <PromiseFacts
            minimumMinutes={giveaway.minimumMinutes}
            confirmBy={giveaway.confirmBy}
            timeZone={timeZone}
          />
        ) : null}
        {giveaway.colleague !== null ? (
          <Fact
            icon="user"
            title={giveaway.colleague}
            note={side === 'giver' ? t`You asked them` : t`Asked you`}
          />
        ) : null}
        {giveaway.swap ? <SwapFact swap={giveaway.swap} side={side} /> : null}
        {giver ? <Fact icon="user" title={giver.name} note={t`Can't make it`} /> : null}
        {taker ? <Fact icon="user" title={taker.name} note={t`Wants to take it over`} /> : null}
      </section>
      {side === 'taker' && giveaway.status === 'open' && !giveaway.swap ? (
        <WeekWarning jobId={giveaway.jobId} zone={timeZone} />
      ) : null}
      <GiveawayActs giveaway={giveaway} />
      {engagementId ? (
        <ButtonLink
          kind="out"
          full
          to={engagementPath(engagementId, side === 'business' ? 'business' : 'worker')}
        >
          {t`View booked shift`}
        </ButtonLink>
      ) : null}
      <HelpLink article="give-away-a-shift">{t`How giving away a shift works`}</HelpLink>
    </div>
  );
}

function SwapFact({ swap, side }: { swap: SwapShift; side: Giveaway['side'] }) {
  const { t } = useLingui();
  const { startsAt, endsAt, timeZone, workerGetsMinor, currency } = swap;
  const note =
    side === 'giver'
      ? t`You get this shift`
      : side === 'taker'
        ? t`You give this shift`
        : t`In exchange for this shift`;
  return (
    <Fact
      icon="arrows-clockwise"
      title={joined(swap.title, formatDateSpan(startsAt, endsAt, timeZone))}
      note={joined(note, swap.area, formatMoney(workerGetsMinor, currency))}
    />
  );
}

function GiveawayActs({ giveaway }: { giveaway: Giveaway }) {
  const { t } = useLingui();
  const request = useAction();
  const { take, withdraw, approve, refuse } = useGiveawayMoves();
  const { id: giveawayId, version, business, giver, taker } = giveaway;
  const buttons: Record<GiveawayAction, { label: string; done: string; act: () => Promise<unknown> }> = {
    take: {
      label: giveaway.swap ? t`Swap shifts` : t`Take shift`,
      done: giveaway.needsApproval
        ? t`${business.name} was asked`
        : giveaway.swap
          ? t`You swapped shifts`
          : t`The shift is yours`,
      act: () => take.mutateAsync({ giveawayId }),
    },
    decline: {
      label: t`Decline`,
      done: t`You declined`,
      act: () => withdraw.mutateAsync({ giveawayId }),
    },
    approve: {
      label: giveaway.swap ? t`Agree to the swap` : t`Agree and book ${taker?.name ?? ''}`,
      done: giveaway.swap ? t`The shifts are swapped` : t`The shift was given away`,
      act: () => approve.mutateAsync({ giveawayId, version }),
    },
    refuse: {
      label: giveaway.swap ? t`Refuse the swap` : t`Keep ${giver?.name ?? ''} booked`,
      done: giveaway.swap ? t`Both shifts stay as booked` : t`The shift stays as booked`,
      act: () => refuse.mutateAsync({ giveawayId, version }),
    },
    withdraw: {
      label: t`Keep my shift`,
      done: t`You keep the shift`,
      act: () => withdraw.mutateAsync({ giveawayId }),
    },
    'step-back': {
      label: t`Step back`,
      done: t`You stepped back`,
      act: () => withdraw.mutateAsync({ giveawayId }),
    },
  };
  const run = async ({ act, done }: (typeof buttons)[GiveawayAction]) => {
    if (await request.run(act)) showToast(done);
  };
  return (
    <div className="col g2">
      <Refused text={request.refusal} />
      {giveaway.actions.map((action) => (
        <Button
          key={action}
          kind={action === 'take' || action === 'approve' ? 'go' : 'out'}
          full
          busy={request.busy}
          onClick={() => void run(buttons[action])}
        >
          {buttons[action].label}
        </Button>
      ))}
    </div>
  );
}

function openText({ side, needsApproval, colleague, business: { name: business } }: Giveaway): string {
  if (side === 'giver') return say`You're booked until someone takes it. We'll let you know.`;
  if (side === 'business')
    return say`The worker can't make it and is looking for someone. They stay booked until then.`;
  if (colleague !== null)
    return needsApproval
      ? say`A colleague asked only you. Accept, and ${business} decides.`
      : say`A colleague asked only you. Nothing changes until you accept.`;
  return needsApproval
    ? say`Someone who was booked can't make it. Take it, and ${business} decides.`
    : say`Someone who was booked can't make it. The first to take it gets it.`;
}

function stateText(giveaway: Giveaway): { badge: string; tone?: Tone; text: string } {
  const { status, side, swap } = giveaway;
  const business = giveaway.business.name;
  switch (status) {
    case 'open':
      return { badge: say`Open`, tone: 'here', text: openText(giveaway) };
    case 'waiting':
      return {
        badge: say`Waiting for approval`,
        tone: 'wait',
        text:
          side === 'giver'
            ? say`Someone wants it. You're booked until ${business} agrees.`
            : side === 'business'
              ? say`Pay and hours stay the same, and the money you set aside moves along.`
              : say`It's yours once ${business} agrees.`,
      };
    case 'done':
      if (swap)
        return {
          badge: say`Swapped`,
          tone: 'good',
          text:
            side === 'business'
              ? say`Each works the other's shift, on its terms.`
              : say`You're booked for the other shift, on its terms. It doesn't affect your reliability.`,
        };
      return {
        badge: say`Given away`,
        tone: 'good',
        text:
          side === 'giver'
            ? say`You're no longer booked. It doesn't affect your reliability.`
            : side === 'taker' && giveaway.engagementId
              ? say`You're booked on the same terms.`
              : say`Someone took this shift.`,
      };
    case 'refused':
      return {
        badge: say`Refused`,
        text:
          giveaway.audience === 'colleague'
            ? say`The shift stays as it was booked.`
            : say`${business} keeps the shift as it was booked.`,
      };
    case 'expired':
      return { badge: say`Expired`, text: say`The shift started before it was given away.` };
    case 'withdrawn':
      return { badge: say`Withdrawn`, text: say`The shift is no longer offered to others.` };
  }
}

function WaysOut({ engagementId }: { engagementId: string }) {
  const { t } = useLingui();
  const work = useEngagement(engagementId, 'worker');
  const options = useQuery(
    apiQuery.giveaways.options.queryOptions({ input: { engagementId }, ...neverPersist }),
  );
  const navigate = useNavigate();
  const path = engagementPath(engagementId, 'worker');
  const refresh = () => Promise.all([work.refetch(), options.refetch()]);
  return (
    <Screen title={t`Can't make it?`} back={path} onRefresh={refresh}>
      <QueryState query={work} loading={<PageSkeleton />} errorTitle={t`We couldn't load this shift`}>
        {(booking) => (
          <div className="col g4">
            <p className="lead mute">
              {joined(
                booking.terms.title,
                booking.terms.startsAt &&
                  booking.terms.endsAt &&
                  formatSpan(booking.terms.startsAt, booking.terms.endsAt, booking.terms.timeZone),
              )}
            </p>
            {/* Cancelling is urgent and does not wait for the other ways. */}
            <QueryState
              query={options}
              loading={<RowsSkeleton count={3} />}
              errorTitle={t`We couldn't load who could take it`}
            >
              {(data) => <GiveawayWays work={booking} options={data} />}
            </QueryState>
            <Card as="section" label={t`Talk to ${booking.business.name}`}>
              <h2 className="h-s">{t`Talk to ${booking.business.name}`}</h2>
              <p className="mute mt1">{t`They may change the time or find someone. You stay booked.`}</p>
              <div className="mt3">
                <MessageLink jobId={booking.jobId} name={booking.business.name} />
              </div>
            </Card>
            <AskDayOff work={booking} onDone={() => void navigate(path)} />
            <CancelCard work={booking} />
            <HelpLink article="give-away-a-shift">{t`How giving away a shift works`}</HelpLink>
          </div>
        )}
      </QueryState>
    </Screen>
  );
}

function GiveawayWays({ work, options }: { work: Engagement; options: GiveawayOptions }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const action = useAction();
  const { offer } = useGiveawayMoves();
  const { mode, colleagues, waiting, named: nominees, giveaway } = options;
  const business = work.business.name;
  const live = giveaway && isLive(giveaway) ? giveaway : null;
  const [choosing, setChoosing] = useState(false);
  const start = (
    audience: GiveawayAudience,
    choice: { colleagueId?: string; swapEngagementId?: string } = {},
  ) =>
    void action.run(async () => {
      const { id } = await offer.mutateAsync({ engagementId: work.id, audience, ...choice });
      await navigate(giveawayPath(id), { replace: true });
    });
  const bookingText =
    mode === 'free'
      ? t`You stay booked until someone takes it. It doesn't affect your reliability.`
      : t`You stay booked until someone takes it and ${business} agrees. It doesn't affect your reliability.`;
  const count = (people: number) =>
    plural(people, { one: '# person could take it.', other: '# people could take it.' });
  return (
    <div className="col g4">
      <Refused text={action.refusal} />
      {giveaway?.status === 'refused' ? (
        <Banner icon="info">
          <p>{stateText(giveaway).text}</p>
        </Banner>
      ) : null}
      {live ? (
        <Card as="section" label={t`Given away`}>
          <p className="strong">{stateText(live).badge}</p>
          <p className="mute mt1">{stateText(live).text}</p>
          <div className="mt3">
            <ButtonLink kind="out" size="s" to={giveawayPath(live.id)}>
              {t`View`}
            </ButtonLink>
          </div>
        </Card>
      ) : null}
      {mode === 'off' ? (
        <Banner icon="info">
          <p>{t`${business} doesn't let workers give away their shifts.`}</p>
        </Banner>
      ) : null}
      {mode !== 'off' && !live && colleagues !== null ? (
        <>
          <Card as="section" label={t`Offer it to colleagues`}>
            <h2 className="h-s">{t`Offer it to colleagues`}</h2>
            <p className="mute mt1">
              {colleagues > 0 ? count(colleagues) : t`Nobody who has worked here can take it right now.`}
            </p>
            {colleagues > 0 ? <p className="mute mt1">{bookingText}</p> : null}
            {colleagues > 0 ? (
              <div className="mt3">
                <Button kind="go" full busy={action.busy} onClick={() => start('colleagues')}>
                  {t`Offer to colleagues`}
                </Button>
              </div>
            ) : null}
          </Card>
          {nominees.length > 0 ? (
            <Card as="section" label={t`Ask one colleague`}>
              <h2 className="h-s">{t`Ask one colleague`}</h2>
              <p className="mute mt1">
                {nominees.some(({ shifts }) => shifts.length > 0)
                  ? t`Offer it to someone who works there too, or swap it for a shift of theirs.`
                  : t`Offer it to someone who works there too.`}
              </p>
              <div className="mt3">
                <Button kind="out" full onClick={() => setChoosing(true)}>
                  {t`Choose a colleague`}
                </Button>
              </div>
              <Sheet open={choosing} onClose={() => setChoosing(false)} title={t`Ask one colleague`}>
                <div className="col g4">
                  <Refused text={action.refusal} />
                  {nominees.map((colleague) => (
                    <ColleagueRow
                      key={colleague.workerId}
                      colleague={colleague}
                      busy={action.busy}
                      onChoose={(choice) => start('colleague', choice)}
                    />
                  ))}
                </div>
              </Sheet>
            </Card>
          ) : null}
          {waiting ? (
            <Card as="section" label={t`Release it to the waitlist`}>
              <h2 className="h-s">{t`Release it to the waitlist`}</h2>
              <p className="mute mt1">{count(waiting)}</p>
              <p className="mute mt1">{bookingText}</p>
              <div className="mt3">
                <Button kind="out" full busy={action.busy} onClick={() => start('waitlist')}>
                  {t`Release to waitlist`}
                </Button>
              </div>
            </Card>
          ) : null}
        </>
      ) : null}
    </div>
  );
}

function ColleagueRow({
  colleague: { workerId: colleagueId, name, shifts },
  busy,
  onChoose,
}: {
  colleague: Colleague;
  busy: boolean;
  onChoose: (choice: { colleagueId: string; swapEngagementId?: string }) => void;
}) {
  const { t } = useLingui();
  return (
    <Card as="section" label={name}>
      <h3 className="h-s">{name}</h3>
      <div className="col g2 mt2">
        <Button kind="out" full busy={busy} onClick={() => onChoose({ colleagueId })}>
          {t`Offer it to ${name}`}
        </Button>
        {shifts.map(({ engagementId, title, startsAt, endsAt, timeZone }) => (
          <Button
            key={engagementId}
            kind="quiet"
            full
            busy={busy}
            onClick={() => onChoose({ colleagueId, swapEngagementId: engagementId })}
          >
            {t`Swap for ${joined(title, formatDateSpan(startsAt, endsAt, timeZone))}`}
          </Button>
        ))}
      </div>
    </Card>
  );
}

function CancelCard({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { late } = useCancellationCost(work);
  const [cancelling, setCancelling] = useState(false);
  if (!work.actions.includes('cancel')) return null;
  return (
    <Card as="section" label={t`Cancel booking`}>
      <h2 className="h-s">{t`Cancel booking`}</h2>
      <p className="mute mt1">
        {late ? (
          <Trans>You're out at once. It counts as a late cancellation and lowers your reliability.</Trans>
        ) : (
          <Trans>You're out at once. It's on time, so your reliability isn't affected.</Trans>
        )}
      </p>
      <div className="mt3">
        <Button kind="quiet" full icon="calendar-x" needsNetwork onClick={() => setCancelling(true)}>
          {t`Cancel booking`}
        </Button>
      </div>
      <Sheet open={cancelling} onClose={() => setCancelling(false)} title={t`Cancel this job?`}>
        {cancelling ? (
          <CancelWorkForm work={work} onDone={() => void navigate(engagementPath(work.id, 'worker'))} />
        ) : null}
      </Sheet>
    </Card>
  );
}

function useGiveawayMoves() {
  const refetch = () => refetchChanged(['engagement', 'application']);
  // Refetches after a refusal too: someone else was first, and the buttons must follow.
  const change = { onSuccess: refetch, onError: refetch };
  return {
    offer: useMutation(apiQuery.giveaways.offer.mutationOptions(change)),
    take: useMutation(apiQuery.giveaways.take.mutationOptions(change)),
    withdraw: useMutation(apiQuery.giveaways.withdraw.mutationOptions(change)),
    approve: useMutation(apiQuery.giveaways.approve.mutationOptions(change)),
    refuse: useMutation(apiQuery.giveaways.refuse.mutationOptions(change)),
  };
}
