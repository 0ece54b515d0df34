// in: draw 1 -1000 1 2000
// out: hash b8678bbfa8265546
// out: hash 83e2cf31a4bdcb8b
// cost: 425 instructions, 5592573 ticks
module {
  func.func public @main(%arg0: tensor<12x33xi32>) -> (tensor<12x33xi32>, tensor<12x33xi32>) {
    %0 = call @sort(%arg0) : (tensor<12x33xi32>) -> tensor<12x33xi32>
    %1 = call @argsort(%arg0) : (tensor<12x33xi32>) -> tensor<12x33xi32>
    return %0, %1 : tensor<12x33xi32>, tensor<12x33xi32>
  }
  func.func private @sort(%arg0: tensor<12x33xi32>) -> tensor<12x33xi32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<12x33xi32>) -> tensor<12x33xi32>
    return %0 : tensor<12x33xi32>
  }
  func.func private @argsort(%arg0: tensor<12x33xi32>) -> tensor<12x33xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<12x33xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<12x33xi32>, tensor<12x33xi32>) -> (tensor<12x33xi32>, tensor<12x33xi32>)
    return %1#1 : tensor<12x33xi32>
  }
}
