package pos.client;

import java.util.List;

import pos.client.RetryPolicy.Repeat;

/** What a call of an operation needs to know. */
final class Operation {
    /** What follows the path members in the arguments of a call. */
    enum Input {
        NONE,
        BODY,
        QUERY
    }

    /** Where the cursors of a listing are: members of its input, or in its member {@code cursor}. */
    enum Pages {
        NONE,
        MEMBERS,
        CURSOR
    }

    /** What is sent beside the input. */
    enum Extra {
        API_KEY,
        PARTNERS,
        CUSTOMER_SECRET
    }

    private final String id;
    private final String method;
    private final String path;
    private final Input input;
    private final Repeat repeat;
    private final Pages pages;
    private final List<Extra> extras;

    Operation(String id, String method, String path, Input input, Repeat repeat, Pages pages, Extra... extras) {
        this.id = id;
        this.method = method;
        this.path = path;
        this.input = input;
        this.repeat = repeat;
        this.pages = pages;
        this.extras = List.of(extras);
    }

    String getId() {
        return id;
    }

    String getMethod() {
        return method;
    }

    /** Template with members in braces. */
    String getPath() {
        return path;
    }

    Input getInput() {
        return input;
    }

    Repeat getRepeat() {
        return repeat;
    }

    Pages getPages() {
        return pages;
    }

    boolean takesApiKey() {
        return extras.contains(Extra.API_KEY);
    }

    boolean takesPartners() {
        return extras.contains(Extra.PARTNERS);
    }

    /** The secret of a customer is sent in place of a key. */
    boolean takesCustomerSecret() {
        return extras.contains(Extra.CUSTOMER_SECRET);
    }
}
