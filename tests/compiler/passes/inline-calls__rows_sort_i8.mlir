// tolerance: 0
// in: draw 1 -128 1 256
module @module {
  func.func public @main(%0: tensor<9x33xi8>) -> (tensor<9x33xi8>) {
    %1 = "stablehlo.call"(%0) <{callee = @sort}> : (tensor<9x33xi8>) -> (tensor<9x33xi8>)
    "stablehlo.return"(%1) : (tensor<9x33xi8>) -> ()
  }
  func.func private @sort(%0: tensor<9x33xi8>) -> (tensor<9x33xi8>) {
    %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%2: tensor<i8>, %3: tensor<i8>):
      %4 = "stablehlo.compare"(%2, %3) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i8>, tensor<i8>) -> (tensor<i1>)
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }) : (tensor<9x33xi8>) -> (tensor<9x33xi8>)
    "stablehlo.return"(%1) : (tensor<9x33xi8>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<9x33xi8>) -> (tensor<9x33xi8>) {
    %5 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%2: tensor<i8>, %3: tensor<i8>):
      %4 = "stablehlo.compare"(%2, %3) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i8>, tensor<i8>) -> (tensor<i1>)
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }) : (tensor<9x33xi8>) -> (tensor<9x33xi8>)
    "stablehlo.return"(%5) : (tensor<9x33xi8>) -> ()
  }
  func.func private @sort(%0: tensor<9x33xi8>) -> (tensor<9x33xi8>) {
    %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%2: tensor<i8>, %3: tensor<i8>):
      %4 = "stablehlo.compare"(%2, %3) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i8>, tensor<i8>) -> (tensor<i1>)
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }) : (tensor<9x33xi8>) -> (tensor<9x33xi8>)
    "stablehlo.return"(%1) : (tensor<9x33xi8>) -> ()
  }
}
