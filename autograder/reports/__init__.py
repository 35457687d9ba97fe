"""What people are shown: feedback pages, class reports, validations, tables in a terminal."""
