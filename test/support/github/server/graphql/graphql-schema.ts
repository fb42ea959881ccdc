/** The part of GitHub's GraphQL schema that is served, with GitHub's own names and nullability. */
import { buildSchema } from 'graphql'

export const SCHEMA = buildSchema(`
  scalar DateTime
  scalar URI
  scalar GitObjectID
  scalar BigInt
  scalar GitTimestamp

  interface Node { id: ID! }
  interface Actor { login: String! url: URI! avatarUrl: URI! }
  type User implements Node & Actor { id: ID! databaseId: Int login: String! url: URI! avatarUrl: URI! name: String }
  type Bot implements Node & Actor { id: ID! databaseId: Int login: String! url: URI! avatarUrl: URI! }
  type Organization implements Node & Actor { id: ID! databaseId: Int login: String! url: URI! avatarUrl: URI! }

  enum CommentAuthorAssociation { COLLABORATOR CONTRIBUTOR FIRST_TIMER FIRST_TIME_CONTRIBUTOR MANNEQUIN MEMBER NONE OWNER }
  enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }
  enum PullRequestState { OPEN CLOSED MERGED }
  enum IssueState { OPEN CLOSED }
  enum OrderDirection { ASC DESC }
  enum IssueOrderField { CREATED_AT UPDATED_AT COMMENTS }
  enum ReleaseOrderField { CREATED_AT NAME }
  input IssueOrder { field: IssueOrderField! direction: OrderDirection! }
  input ReleaseOrder { field: ReleaseOrderField! direction: OrderDirection! }

  type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }

  type PullRequestReviewComment implements Node {
    id: ID! databaseId: Int fullDatabaseId: BigInt author: Actor authorAssociation: CommentAuthorAssociation!
    body: String! path: String! line: Int originalLine: Int diffHunk: String! url: URI!
    createdAt: DateTime! updatedAt: DateTime! originalCommit: Commit commit: Commit
  }
  type PullRequestReviewCommentConnection { nodes: [PullRequestReviewComment] pageInfo: PageInfo! totalCount: Int! }
  type PullRequestReview implements Node {
    id: ID! databaseId: Int fullDatabaseId: BigInt author: Actor authorAssociation: CommentAuthorAssociation!
    body: String! state: PullRequestReviewState! submittedAt: DateTime createdAt: DateTime! updatedAt: DateTime!
    publishedAt: DateTime lastEditedAt: DateTime url: URI! commit: Commit pullRequest: PullRequest!
    comments(first: Int, after: String): PullRequestReviewCommentConnection!
  }
  type PullRequestReviewConnection { nodes: [PullRequestReview] pageInfo: PageInfo! totalCount: Int! }
  type PullRequest implements Node {
    id: ID! databaseId: Int fullDatabaseId: BigInt number: Int! title: String! body: String! url: URI!
    state: PullRequestState! isDraft: Boolean! merged: Boolean! mergedAt: DateTime closedAt: DateTime
    author: Actor authorAssociation: CommentAuthorAssociation! createdAt: DateTime! updatedAt: DateTime!
    headRefOid: GitObjectID! headRefName: String! baseRefName: String! mergeCommit: Commit
    reviews(first: Int, last: Int, after: String, states: [PullRequestReviewState!]): PullRequestReviewConnection
  }
  type PullRequestConnection { nodes: [PullRequest] pageInfo: PageInfo! totalCount: Int! }
  type Issue implements Node {
    id: ID! databaseId: Int fullDatabaseId: BigInt number: Int! title: String! body: String! url: URI!
    state: IssueState! author: Actor authorAssociation: CommentAuthorAssociation!
    createdAt: DateTime! updatedAt: DateTime! closedAt: DateTime
  }
  union IssueOrPullRequest = Issue | PullRequest

  interface GitObject { id: ID! oid: GitObjectID! abbreviatedOid: String! }
  type Blob implements Node & GitObject {
    id: ID! oid: GitObjectID! abbreviatedOid: String! text: String byteSize: Int! isBinary: Boolean isTruncated: Boolean!
  }
  type TreeEntry { name: String! path: String type: String! mode: Int! oid: GitObjectID! size: Int! object: GitObject }
  type Tree implements Node & GitObject { id: ID! oid: GitObjectID! abbreviatedOid: String! entries: [TreeEntry!] }
  type Tag implements Node & GitObject { id: ID! oid: GitObjectID! abbreviatedOid: String! name: String! message: String target: GitObject! }
  type GitActor { name: String email: String date: GitTimestamp user: User }
  type CommitHistoryConnection { nodes: [Commit] pageInfo: PageInfo! totalCount: Int! }
  type CommitConnection { nodes: [Commit] pageInfo: PageInfo! totalCount: Int! }
  type Commit implements Node & GitObject {
    id: ID! oid: GitObjectID! abbreviatedOid: String! message: String! messageHeadline: String! url: URI!
    committedDate: DateTime! authoredDate: DateTime! author: GitActor committer: GitActor tree: Tree!
    changedFilesIfAvailable: Int
    parents(first: Int, after: String): CommitConnection!
    history(first: Int, after: String, path: String): CommitHistoryConnection!
    associatedPullRequests(first: Int, after: String): PullRequestConnection
  }
  type Ref implements Node { id: ID! name: String! prefix: String! target: GitObject }

  type Release implements Node {
    id: ID! databaseId: Int name: String tagName: String! description: String isDraft: Boolean! isPrerelease: Boolean!
    author: User createdAt: DateTime! publishedAt: DateTime updatedAt: DateTime! url: URI! tagCommit: Commit
  }
  type ReleaseConnection { nodes: [Release] pageInfo: PageInfo! totalCount: Int! }

  type Repository implements Node {
    id: ID! databaseId: Int name: String! nameWithOwner: String! url: URI! isPrivate: Boolean! isArchived: Boolean!
    isEmpty: Boolean! hasIssuesEnabled: Boolean! hasWikiEnabled: Boolean! updatedAt: DateTime! pushedAt: DateTime
    defaultBranchRef: Ref
    ref(qualifiedName: String!): Ref
    object(oid: GitObjectID, expression: String): GitObject
    issue(number: Int!): Issue
    pullRequest(number: Int!): PullRequest
    issueOrPullRequest(number: Int!): IssueOrPullRequest
    pullRequests(first: Int, last: Int, after: String, states: [PullRequestState!], orderBy: IssueOrder): PullRequestConnection!
    release(tagName: String!): Release
    releases(first: Int, last: Int, after: String, orderBy: ReleaseOrder): ReleaseConnection!
  }
  type RateLimit { cost: Int! limit: Int! nodeCount: Int! remaining: Int! resetAt: DateTime! used: Int! }
  type Query {
    repository(owner: String!, name: String!, followRenames: Boolean = true): Repository
    rateLimit(dryRun: Boolean = false): RateLimit
    viewer: User!
  }
`)
