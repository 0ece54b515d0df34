// tolerance: 0
// in: draw 1 -128 1 256
// in: draw 2 -128 1 256
module @module {
  func.func public @main(%0: tensor<30x150xi8>, %1: tensor<150x20xi8>) -> (tensor<30x20xi32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<30x150xi8>, tensor<150x20xi8>) -> (tensor<30x20xi32>)
    "stablehlo.return"(%2) : (tensor<30x20xi32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<30x150xi8>, %1: tensor<150x20xi8>) -> (tensor<30x20xi32>) {
    %3 = "stablehlo.convert"(%1) : (tensor<150x20xi8>) -> (tensor<150x20xbf16>)
    %4 = "stablehlo.convert"(%0) : (tensor<30x150xi8>) -> (tensor<30x150xbf16>)
    %5 = "stablehlo.dot_general"(%4, %3) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<30x150xbf16>, tensor<150x20xbf16>) -> (tensor<30x20xf32>)
    %2 = "stablehlo.composite"(%5) <{name = "trainyard.whole"}> : (tensor<30x20xf32>) -> (tensor<30x20xi32>)
    "stablehlo.return"(%2) : (tensor<30x20xi32>) -> ()
  }
}
