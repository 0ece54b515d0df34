// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 35.9051403 -0.399811201 5.21628856 35.3707946 14.1860416 9.92286748 -1.76667903 0 0.8222019 0 8.48447946 9.25102469 10.9153468 53.3980137 15.8829348 20.1093924
// cost: 39 instructions, 7407797 ticks
module {
  func.func public @main(%arg0: tensor<9x5xf32>) -> (tensor<9x5xf32>) {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<9x5xf32>
    cond {
      %c_3 = stablehlo.constant dense<5> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<i32>, tensor<9x5xf32>) -> (tensor<i32>, tensor<9x5xf32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<9x5xf32>
    }
    return %0#2 : tensor<9x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<9x5xf32>) -> (tensor<i32>, tensor<9x5xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %2 = stablehlo.multiply %1, %cst : tensor<f32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %arg0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<9> : tensor<i32>
    %4 = stablehlo.add %arg0, %c_1 : tensor<i32>
    %5 = stablehlo.select %3, %4, %arg0 : tensor<i1>, tensor<i32>
    %6 = stablehlo.convert %5 : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.convert %2 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %10 = "stablehlo.scatter"(%arg1, %7, %9) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %11 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<9x5xf32>, tensor<1xi32>, tensor<5xf32>) -> tensor<9x5xf32>
    return %0, %10 : tensor<i32>, tensor<9x5xf32>
  }
}
