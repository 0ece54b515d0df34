// in: draw 1 -9000 1 18001
// out: hash ac6f42f89edaae69
// out: hash df9a431b8dcba031
// cost: 3527 instructions, 105987806 ticks
module {
  func.func public @main(%arg0: tensor<20000xi32>) -> (tensor<20000xi32>, tensor<20000xi32>) {
    %0 = call @sort(%arg0) : (tensor<20000xi32>) -> tensor<20000xi32>
    %1 = call @argsort(%arg0) : (tensor<20000xi32>) -> tensor<20000xi32>
    return %0, %1 : tensor<20000xi32>, tensor<20000xi32>
  }
  func.func private @sort(%arg0: tensor<20000xi32>) -> tensor<20000xi32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<20000xi32>) -> tensor<20000xi32>
    return %0 : tensor<20000xi32>
  }
  func.func private @argsort(%arg0: tensor<20000xi32>) -> tensor<20000xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<20000xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<20000xi32>, tensor<20000xi32>) -> (tensor<20000xi32>, tensor<20000xi32>)
    return %1#1 : tensor<20000xi32>
  }
}
