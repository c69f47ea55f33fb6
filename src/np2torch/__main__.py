"""`python -m np2torch`."""

from np2torch_cli import main

if __name__ == "__main__":
    main()
