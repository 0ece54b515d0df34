// in: draw 1 0 1 12
// out: 5 6 7 3 2 2 4 5 4 4 6 2
// cost: 49 instructions, 1869831 ticks
module {
  func.func public @main(%arg0: tensor<50xi32>) -> (tensor<12xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %2 = stablehlo.compare LT, %arg0, %1, SIGNED : (tensor<50xi32>, tensor<50xi32>) -> tensor<50xi1>
    %c_1 = stablehlo.constant dense<12> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %4 = stablehlo.add %arg0, %3 : tensor<50xi32>
    %5 = stablehlo.select %2, %4, %arg0 : tensor<50xi1>, tensor<50xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<50xi32>) -> tensor<50x1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %8 = "stablehlo.scatter"(%0, %6, %7) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %9 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %9 : tensor<i32>
    }) : (tensor<12xi32>, tensor<50x1xi32>, tensor<50xi32>) -> tensor<12xi32>
    return %8 : tensor<12xi32>
  }
}
