// What a person gives to speak to a Git provider as themselves: a user name where the provider asks for one, and a token.
import { ApiError, type GitProviderKind, gitProviders } from '@fairlead/contracts';
import { useState } from 'react';
import { TextInput } from '../../ui/index.ts';

/** Kept in the form alone, until it is sealed. */
export function useCredential(provider: GitProviderKind) {
  const [token, setToken] = useState('');
  const [username, setUsername] = useState('');
  const isNameNeeded = gitProviders[provider].username?.isRequired === true;
  const isGiven = token !== '' && !(isNameNeeded && username === '');
  return { token, username, setToken, setUsername, isGiven };
}

interface CredentialFieldsProps {
  readonly provider: GitProviderKind;
  readonly credential: ReturnType<typeof useCredential>;
  /** Of the token. */
  readonly label: string;
  /** Why it was not taken; of a form that shows all other reasons itself. */
  readonly error: Error | null;
}

/** The token is at fault, so the reason stands at its field. */
export const isOfToken = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.code === 'git_token_refused';

export function CredentialFields({ provider, credential, label, error }: CredentialFieldsProps) {
  const { token, username, setToken, setUsername } = credential;
  const words = gitProviders[provider];
  return (
    <>
      {words.username ? (
        <TextInput
          label={words.username.label}
          value={username}
          onChange={setUsername}
          hint={words.username.hint}
          isRequired={words.username.isRequired}
        />
      ) : null}
      <TextInput
        type="password"
        label={label}
        value={token}
        onChange={setToken}
        isRequired
        hint={words.token}
        error={isOfToken(error) ? error.message : undefined}
      />
    </>
  );
}
