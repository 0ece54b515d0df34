// in: draw 1 -128 1 256
// out: hash 7ef7cfea7f6d8277
// cost: 242 instructions, 4404805 ticks
module {
  func.func public @main(%arg0: tensor<9x33xi8>) -> (tensor<9x33xi8>) {
    %0 = call @sort(%arg0) : (tensor<9x33xi8>) -> tensor<9x33xi8>
    return %0 : tensor<9x33xi8>
  }
  func.func private @sort(%arg0: tensor<9x33xi8>) -> tensor<9x33xi8> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i8>, %arg2: tensor<i8>):
      %1 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<9x33xi8>) -> tensor<9x33xi8>
    return %0 : tensor<9x33xi8>
  }
}
