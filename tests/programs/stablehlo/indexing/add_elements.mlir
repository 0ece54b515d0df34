// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 20
// in: draw 2 0 1 10
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 0.616095599 4.92223191 -3.43105521 -3.40278743 4.34550146 0.7355287 1.46857438 -1.58378999 3.47768598 -3.65719093 0.297581814 -2.00817992 4.56650617 1.32777721 2.14333919 3.41735589
// cost: 66 instructions, 1857524 ticks
module {
  func.func public @main(%arg0: tensor<20x10xf32>, %arg1: tensor<30xi32>, %arg2: tensor<30xi32>, %arg3: tensor<30xf32>) -> (tensor<20x10xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<30xi32>, tensor<30xi32>) -> tensor<30xi1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<30xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<30xi1>, tensor<30xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %6 = stablehlo.compare LT, %arg2, %5, SIGNED : (tensor<30xi32>, tensor<30xi32>) -> tensor<30xi1>
    %c_2 = stablehlo.constant dense<10> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %8 = stablehlo.add %arg2, %7 : tensor<30xi32>
    %9 = stablehlo.select %6, %8, %arg2 : tensor<30xi1>, tensor<30xi32>
    %10 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<30xi32>) -> tensor<30x1xi32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<30xi32>) -> tensor<30x1xi32>
    %12 = stablehlo.concatenate %10, %11, dim = 1 : (tensor<30x1xi32>, tensor<30x1xi32>) -> tensor<30x2xi32>
    %13 = "stablehlo.scatter"(%arg0, %12, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %14 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) : (tensor<20x10xf32>, tensor<30x2xi32>, tensor<30xf32>) -> tensor<20x10xf32>
    return %13 : tensor<20x10xf32>
  }
}
