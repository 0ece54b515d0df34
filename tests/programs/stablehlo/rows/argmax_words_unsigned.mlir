// in: draw 1 0 1 250
// out: 28 65 13 21 53 0 46 31 20 44 17 2 29 44 67 30 27 53 21 60 52 3 26 12 2 6 58 4 0 16 31 24 38 49 69 26 19 31 52 42
// out: 59 36 44 3 46 27 1 68 68 15 1 25 20 45 4 41 32 31 53 38 69 58 23 33 62 0 51 15 46 69 27 45 5 4 9 57 46 62 65 47
// cost: 9 instructions, 662782 ticks
module {
  func.func public @main(%arg0: tensor<40x70xui8>) -> (tensor<40xi32>, tensor<40xi32>) {
    %0 = call @argmax(%arg0) : (tensor<40x70xui8>) -> tensor<40xi32>
    %1 = call @argmin(%arg0) : (tensor<40x70xui8>) -> tensor<40xi32>
    return %0, %1 : tensor<40xi32>, tensor<40xi32>
  }
  func.func private @argmax(%arg0: tensor<40x70xui8>) -> tensor<40xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<40x70xi32>
    %c = stablehlo.constant dense<0> : tensor<ui8>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [1] : (tensor<40x70xui8>, tensor<40x70xi32>, tensor<ui8>, tensor<i32>) -> (tensor<40xui8>, tensor<40xi32>)
     reducer(%arg1: tensor<ui8>, %arg3: tensor<ui8>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<ui8>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<ui8>, tensor<i32>
    }
    return %1#1 : tensor<40xi32>
  }
  func.func private @argmin(%arg0: tensor<40x70xui8>) -> tensor<40xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<40x70xi32>
    %c = stablehlo.constant dense<255> : tensor<ui8>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [1] : (tensor<40x70xui8>, tensor<40x70xi32>, tensor<ui8>, tensor<i32>) -> (tensor<40xui8>, tensor<40xi32>)
     reducer(%arg1: tensor<ui8>, %arg3: tensor<ui8>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<ui8>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<ui8>, tensor<i32>
    }
    return %1#1 : tensor<40xi32>
  }
}
