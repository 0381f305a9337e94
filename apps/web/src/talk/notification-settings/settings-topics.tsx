import { useLingui } from '@lingui/react/macro';
import type { NotificationSettings, TopicChoice } from '@nearhand/contract/talk/notification-settings';
import type { Channel, ChannelChoice } from '@nearhand/contract/talk/notification-topics';
import { useId, useState } from 'react';
import { joined } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { ReasonGroup, SharedReason, useAvailability } from '../../ui/controls/needs-network.tsx';
import { selectAvailability } from '../../ui/controls/select.tsx';
import {
  changeAll,
  channelState,
  type GroupOfTopics,
  groupTopics,
  isChoiceLocked,
  type SettingsChange,
} from './settings.rules.ts';
import { channelName, channelOrder, topicGroupText, topicLabel } from './topic-names.ts';

type Choose = (change: SettingsChange) => void;

export function SettingsTopics({
  settings,
  sides,
  onChoose,
}: {
  settings: NotificationSettings;
  sides: readonly ('work' | 'hire')[];
  onChoose: Choose;
}) {
  return (
    <ul className="nset-groups">
      {groupTopics(settings.topics, sides).map((group) => (
        <Group key={group.group} {...group} onChoose={onChoose} />
      ))}
    </ul>
  );
}

function Group({ group, topics, onChoose }: GroupOfTopics & { onChoose: Choose }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const id = useId();
  const { icon, name, about } = topicGroupText(group);
  const onlyTopic = topics.length === 1 ? topics[0] : undefined;
  const anyLocked = topics.some(({ locked }) => locked.length > 0);
  return (
    <ReasonGroup>
      <li className="card nset-group">
        <div className="row g3 top">
          <IconSign icon={icon} round />
          <div className="grow">
            <h3 className="h-s">{name}</h3>
            <p className="sm mute">{about}</p>
            <SharedReason />
          </div>
        </div>
        <Ways
          groupName={name}
          topics={topics}
          onChoose={(channel, choice) => onChoose({ topics: changeAll(topics, channel, choice) })}
        />
        {anyLocked ? (
          <p className="help nset-locked">
            <Icon name="lock-key" />
            {onlyTopic ? (
              <LockedWords topic={onlyTopic} />
            ) : (
              t`Some of these can't be turned off because they concern your money or account security.`
            )}
          </p>
        ) : null}
        {onlyTopic ? null : (
          <>
            <button
              type="button"
              className="nset-more"
              aria-expanded={open}
              aria-controls={id}
              onClick={() => setOpen(!open)}
            >
              <span>{open ? t`Hide details` : t`Choose for each of ${topics.length}`}</span>
              <span className="vh">: {name}</span>
              <Icon name={open ? 'caret-up' : 'caret-down'} />
            </button>
            <ul id={id} className="nset-topics" hidden={!open}>
              {open
                ? topics.map((topic) => <Topic key={topic.topic} topic={topic} onChoose={onChoose} />)
                : null}
            </ul>
          </>
        )}
      </li>
    </ReasonGroup>
  );
}

function Topic({ topic, onChoose }: { topic: TopicChoice; onChoose: Choose }) {
  const { t } = useLingui();
  const name = topicLabel(topic.topic);
  return (
    <li className="nset-topic">
      <p className="mid">{name}</p>
      {topic.urgent ? <p className="sm mute">{t`Urgent: sent during quiet hours too.`}</p> : null}
      {topic.locked.length > 0 ? (
        <p className="help nset-locked">
          <Icon name="lock-key" />
          <LockedWords topic={topic} />
        </p>
      ) : null}
      <Ways
        groupName={name}
        topics={[topic]}
        onChoose={(channel, choice) => onChoose({ topics: [{ topic: topic.topic, channel, choice }] })}
      />
    </li>
  );
}

function LockedWords({ topic }: { topic: TopicChoice }) {
  const { t } = useLingui();
  return t`Always: ${joined(...topic.locked.map(channelName))}`;
}

type WaysProps = {
  groupName: string;
  topics: readonly TopicChoice[];
  onChoose: (channel: Channel, choice: ChannelChoice) => void;
};

/** Three channels side by side. A mixed group is marked as such; the next tap makes it uniform. */
function Ways({ groupName, topics, onChoose }: WaysProps) {
  const { t } = useLingui();
  const availability = useAvailability(true);
  const { offline, reasonId } = availability;
  return (
    <fieldset className={offline ? 'nset-ways offline' : 'nset-ways'}>
      <legend className="vh">{groupName}</legend>
      {channelOrder.map((channel) => {
        const state = channelState(topics, channel);
        const locked = topics.every((topic) => isChoiceLocked(topic, channel));
        if (channel === 'email') {
          const daily = topics.some((topic) => topic.daily && !isChoiceLocked(topic, 'email'));
          return (
            <label key={channel} className="nset-email">
              <span className="sm">{channelName(channel)}</span>
              <span className="nset-select">
                <select
                  value={state}
                  disabled={locked}
                  onChange={(event) => onChoose('email', event.target.value as ChannelChoice)}
                  {...selectAvailability(availability)}
                >
                  {state === 'mixed' ? <option value="mixed" disabled>{t`Mixed`}</option> : null}
                  <option value="on">{t`Right away`}</option>
                  {daily || state === 'daily' ? <option value="daily">{t`Once a day`}</option> : null}
                  <option value="off">{t`Off`}</option>
                </select>
                <Icon name="caret-down" />
              </span>
            </label>
          );
        }
        return (
          <label key={channel} className="nset-way">
            <span className="check-box">
              <input
                type="checkbox"
                className="check"
                checked={state === 'on'}
                disabled={locked}
                ref={(box) => {
                  if (box) box.indeterminate = state === 'mixed';
                }}
                aria-disabled={offline || undefined}
                aria-describedby={reasonId}
                // Prevented, since the browser would clear "mixed" and React restores only "checked".
                onClick={(event) => (offline ? event.preventDefault() : undefined)}
                onChange={() => (offline ? undefined : onChoose(channel, state === 'on' ? 'off' : 'on'))}
              />
              <Icon name={state === 'mixed' ? 'minus' : 'check'} />
            </span>
            <span className="sm">{channelName(channel)}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
